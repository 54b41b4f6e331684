// Texts from anybody: a known secret is never left in what comes out, and redacting twice changes nothing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/send/access_tokens.h"
#include "app/send/redaction.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace patra;
  static const auto redactor = [] {
    auto made = std::make_unique<app::Redactor>();
    made->Learn("s/cret+é1");
    return made;
  }();
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto once = redactor->Redact(text);
  PATRA_ASSERT(!redactor->Contains(once));
  PATRA_ASSERT(redactor->Redact(once) == once);
  std::string body(text);
  redactor->RedactBody(body);
  PATRA_ASSERT(!redactor->Contains(body));
  static_cast<void>(app::ReadAccessToken(text));
  return 0;
}
