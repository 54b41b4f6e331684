// Addresses from anybody: one that is accepted reads back as itself, also as a reference, and holds nothing
// that could leave its place.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/url.h"

namespace patra {
namespace {

void Check(const Url& url) {
  const auto text = url.Text();
  PATRA_ASSERT(std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; }));
  const auto again = ParseUrl(text);
  PATRA_ASSERT(again && *again == url);
}

}  // namespace
}  // namespace patra

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace patra;
  static const auto base = *ParseUrl("https://example.org/a/b?c=d");
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto url = ParseUrl(text)) Check(*url);
  if (const auto url = ResolveUrl(base, text)) Check(*url);
  return 0;
}
