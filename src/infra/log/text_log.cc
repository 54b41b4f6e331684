#include "infra/log/text_log.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/plain_text.h"
#include "base/quote.h"

namespace patra::infra::log {
namespace {

struct LevelWord {
  std::string_view word;
  std::string_view color;
};

LevelWord WordOf(app::LogLevel level) {
  switch (level) {
    case app::LogLevel::kDebug:
      return {"debug", "2"};
    case app::LogLevel::kInfo:
      return {"info ", ""};
    case app::LogLevel::kWarn:
      return {"warn ", "33"};
    case app::LogLevel::kError:
      break;
  }
  return {"error", "31"};
}

std::string Cut(std::string_view text) {
  const auto quoted = Quote(std::string(text), TextLog::kTextBytesMax);
  return quoted.substr(1, quoted.size() - 2);
}

std::string TextOf(const Value& value) {
  const auto* text = value.AsString();
  return Cut(text != nullptr ? *text : PrintJson(value));
}

}  // namespace

void TextLog::Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
                    const Value::Object& details) {
  if (level < least_) return;
  std::string facts;
  for (const auto& [name, value] : details) {
    if (value.is_null() || (value.AsString() != nullptr && value.AsString()->empty())) continue;
    facts += fmt::format("{}{} {}", facts.empty() ? "  " : ", ", name, TextOf(value));
  }
  if (lineage.task != 0) facts += fmt::format("  (task {})", lineage.task);
  const auto [word, color] = WordOf(level);
  const bool is_colored = color_ && !color.empty();
  const auto time = FormatRfc3339(std::chrono::floor<std::chrono::seconds>(clock_.Now()));
  sink_.Write(fmt::format("{} {}{}{} {}{}", std::string_view(time).substr(11, 8),
                          is_colored ? fmt::format("\x1b[{}m", color) : "", word,
                          is_colored ? "\x1b[0m" : "", SpelledOnOneLine(std::string(event)),
                          SpelledOnOneLine(facts)));
}

}  // namespace patra::infra::log
