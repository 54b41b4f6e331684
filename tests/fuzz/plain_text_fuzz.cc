// Texts from anybody: nothing that is obeyed comes out, in pieces it is the same as at once, and what is found escaped
// lies in order inside the text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/escaped_word.h"
#include "base/plain_text.h"
#include "base/result.h"
#include "base/utf8.h"

namespace {

bool IsPlain(std::string_view text, std::string_view allowed) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = patra::DecodeUtf8(text, at);
    if (!character.valid()) return false;
    const bool is_allowed =
        character.length == 1 && allowed.find(text[at]) != std::string_view::npos;
    if (patra::IsControlCharacter(character.code_point) && !is_allowed) return false;
    at += character.length;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace patra;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto spelled = Spelled(text);
  PATRA_ASSERT(IsPlain(spelled, "\n\t\r"));
  PATRA_ASSERT(IsPlain(SpelledOnOneLine(text), ""));
  PATRA_ASSERT(IsPlain(ForShell(text), ""));
  PATRA_ASSERT(IsPlain(ForSpreadsheet(text), "\n\t\r"));
  std::string out;
  std::string waiting(text.substr(0, size / 2));
  waiting.erase(0, AppendSpelled(waiting, out));
  waiting += text.substr(size / 2);
  waiting.erase(0, AppendSpelled(waiting, out));
  PATRA_ASSERT(out + Spelled(waiting) == spelled);
  std::size_t end = 0;
  for (const auto& range : FindEscaped(text, "key+of&eve")) {
    PATRA_ASSERT(end <= range.begin && range.begin < range.end && range.end <= size);
    end = range.end;
  }
  return 0;
}
