#include "domain/word/source_target.h"

namespace patra::domain {

SourceTarget TargetOf(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return {.source = text};
  return {.source = text.substr(0, slash), .endpoint = text.substr(slash + 1)};
}

}  // namespace patra::domain
