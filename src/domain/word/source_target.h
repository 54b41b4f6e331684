// The source and the endpoint that somebody names; the endpoint may be left out.
#pragma once

#include <optional>
#include <string>

namespace patra::domain {

struct SourceTarget {
  std::string source;
  std::optional<std::string> endpoint{};
};

// Of SOURCE or SOURCE/ENDPOINT.
SourceTarget TargetOf(const std::string& text);

}  // namespace patra::domain
