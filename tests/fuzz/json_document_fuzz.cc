// JSON pages: the fast parser, the strict reader and our own parser must agree on what is valid and
// what it means; salvaging must never lose a healthy record or invent one.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/document.h"
#include "base/json_path.h"
#include "base/json_salvage.h"
#include "base/json_text.h"

using namespace patra;

namespace {

void CheckParsers(const std::string& text) {
  const auto document = Document::ParseJson(text);
  const auto value = ParseJson(text);
  if (value) {
    PATRA_ASSERT(document.has_value());
    PATRA_ASSERT(ToValue(document->root()).value() == *value);
  }
  if (document) {
    const auto body = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
    PATRA_ASSERT(!CheckJson(body, 65).trouble);
    const auto copy = ToValue(document->root());
    PATRA_ASSERT(copy.has_value());
    document->root().Text();
  } else {
    PATRA_ASSERT(document.error().code != ErrorCode::kInternal);
  }
}

void CheckSalvaging(const std::string& text) {
  static const auto paths = {JsonPath::Compile("$.items").value(),
                             JsonPath::Compile("$[*]").value(),
                             JsonPath::Compile("$.a[-1].items[*]").value()};
  for (const auto& path : paths) {
    const auto page = ParseJsonSalvaging(text, path);
    if (!page) continue;
    const auto whole = Document::ParseJson(text);
    PATRA_ASSERT(whole.has_value() == page->broken.empty());
    for (const auto& broken : page->broken) {
      PATRA_ASSERT(text.substr(broken.offset, broken.bytes.size()) == broken.bytes);
      PATRA_ASSERT(CheckJson(broken.bytes, 63).trouble.has_value());
      PATRA_ASSERT(broken.error.place.line > 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckParsers(text);
  CheckSalvaging(text);
  return 0;
}
