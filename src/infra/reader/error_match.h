// The source's error rules: which of them an answer matches.
#pragma once

#include <optional>
#include <vector>

#include "app/port/transport.h"
#include "base/i_regexp.h"
#include "base/path.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::infra::reader {

class ErrorMatcher {
 public:
  static Result<ErrorMatcher> Compile(const std::vector<domain::ErrorRule>& rules,
                                      const PathOptions& options);

  // The first rule that matches. `root` is absent where the body could not be parsed: then no rule
  // with a `body` matches.
  Result<std::optional<domain::ErrorRule>> Match(const app::HttpResponse& response,
                                                 std::optional<Node> root) const;

  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    domain::ErrorRule spec;
    std::optional<IRegexp> header_matches;
    std::optional<IRegexp> text;
    std::optional<Path> body;
  };

  std::vector<Rule> rules_;
};

}  // namespace patra::infra::reader
