// The source's error rules: which of them an answer matches.
#pragma once

#include <optional>
#include <vector>

#include "base/i_regexp.h"
#include "base/path.h"
#include "domain/page/page_answer.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

class ErrorMatcher {
 public:
  static Result<ErrorMatcher> Compile(const std::vector<ErrorRule>& rules,
                                      const PathOptions& options);

  // The first rule that matches. `root` is absent where the body could not be parsed: then no rule
  // with a `body` matches.
  struct Matched {
    ErrorRule rule;
    std::string words{};  // what stands where its `body` leads to
  };
  Result<std::optional<Matched>> Match(const PageAnswer& answer, std::optional<Node> root) const;

  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    ErrorRule spec;
    std::optional<IRegexp> header_matches;
    std::optional<IRegexp> text;
    std::optional<Path> body;
  };

  std::vector<Rule> rules_;
};

}  // namespace patra::domain
