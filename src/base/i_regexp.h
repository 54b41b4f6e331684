// I-Regexp (RFC 9485), the regular expressions of JSONPath: a small subset that means the same
// everywhere. Matching takes time linear in the text.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace patra {

// Immutable: copies share it, threads may use it at the same time.
class IRegexp {
 public:
  // kInvalidInput with the column if the pattern is not I-Regexp, kLimit if it is but needs more
  // than we give (16 KiB of pattern, 100 nested groups, 2 MiB of automaton).
  static Result<IRegexp> Compile(std::string_view pattern);

  bool MatchesAll(std::string_view text) const;   // RFC 9535's match()
  bool MatchesPart(std::string_view text) const;  // RFC 9535's search()

  // How many times slower than reading matching may be, at worst: the automaton's size.
  std::size_t cost() const;

 private:
  struct Program;
  explicit IRegexp(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;  // shared by the copies of this expression
};

}  // namespace patra
