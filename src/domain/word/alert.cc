#include "domain/word/alert.h"

#include <fmt/format.h>

namespace patra::domain {

std::string_view Code(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "INFO";
    case Severity::kWarn:
      return "WARN";
    case Severity::kCritical:
      return "CRITICAL";
  }
  PATRA_ASSERT(false);
}

Result<Severity> SeverityFromCode(std::string_view code) {
  for (const auto severity : {Severity::kInfo, Severity::kWarn, Severity::kCritical}) {
    if (Code(severity) == code) return severity;
  }
  return Fail(ErrorCode::kCorruption, fmt::format("no severity is called \"{}\"", code));
}

bool Silence::Covers(const Alert& alert) const {
  if (!pattern.ends_with('*')) return alert.key == pattern;
  return alert.key.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

}  // namespace patra::domain
