// A JSONPath query as data: what the parser makes and the evaluator walks. Include it only from the
// .cc files of JSONPath.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/i_regexp.h"
#include "base/number.h"
#include "base/result.h"

namespace patra::jsonpath {

struct Expression;

struct NameSelector {
  std::string name;
};
struct WildcardSelector {};
struct IndexSelector {
  std::int64_t index = 0;  // from the end if negative
};
struct SliceSelector {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  std::int64_t step = 1;
};
struct FilterSelector {
  std::vector<Expression> condition;  // exactly one: a vector because it is incomplete here
};
using Selector =
    std::variant<NameSelector, WildcardSelector, IndexSelector, SliceSelector, FilterSelector>;

struct Segment {
  bool descendant = false;
  std::vector<Selector> selectors;
};

struct Query {
  bool relative = false;  // starts at @, not at $
  bool singular = true;   // names and indexes only
  bool tight = true;      // no blanks inside brackets, as the grammar of comparisons wants it
  std::vector<Segment> segments;
};

struct Null {};
using Literal = std::variant<Null, bool, Number, std::string>;

enum class Function { kLength, kCount, kMatch, kSearch, kValue };
enum class Comparison { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

struct Call {
  Function function = Function::kLength;
  std::vector<Expression> arguments;

  // match() and search() with a literal pattern: compiled, or nothing if it is not I-Regexp.
  bool constant_pattern = false;
  std::optional<IRegexp> pattern;
};
struct Compared {
  Comparison comparison = Comparison::kEqual;
  std::vector<Expression> sides;  // exactly two
};
// All, any or none of the operands; a group in parentheses is "all" of one.
struct Logical {
  enum class Kind { kAnd, kOr, kNot } kind = Kind::kAnd;
  std::vector<Expression> operands;
};

struct Expression {
  std::size_t offset = 0;  // where it starts in the text
  std::variant<Literal, Query, Call, Compared, Logical> content;
};

// The whole text is one query. Errors have the column and, as hint, what was expected there.
Result<Query> Parse(std::string_view text);

}  // namespace patra::jsonpath
