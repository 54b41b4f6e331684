// The grammar of RFC 9535, Appendix A, by recursive descent: a function per production, in its
// order. One thing is not context-free: what may stand where by type (§2.4.3). An operand is
// therefore parsed first and judged by its place afterwards (AsTest, AsComparable, CheckArgument).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/json_path_query.h"
#include "base/path_limits.h"
#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra::jsonpath {
namespace {

constexpr int kNestingMax = 64;
constexpr std::int64_t kIntegerMax = (std::int64_t{1} << 53) - 1;  // I-JSON

enum class Type { kValue, kLogical, kNodes };

struct Signature {
  std::string_view name;
  Function function;
  Type result;
  std::vector<Type> parameters;
};

const std::vector<Signature>& Signatures() {
  static const std::vector<Signature> signatures = {
      {"length", Function::kLength, Type::kValue, {Type::kValue}},
      {"count", Function::kCount, Type::kValue, {Type::kNodes}},
      {"match", Function::kMatch, Type::kLogical, {Type::kValue, Type::kValue}},
      {"search", Function::kSearch, Type::kLogical, {Type::kValue, Type::kValue}},
      {"value", Function::kValue, Type::kValue, {Type::kNodes}},
  };
  return signatures;
}

const Signature& SignatureOf(const Call& call) {
  return *std::ranges::find(Signatures(), call.function, &Signature::function);
}

bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }
bool IsNameStart(char c) {
  return IsLowerLetter(c) || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Query> Run() {
    if (text_.size() > kPathTextBytesMax) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("a path of {} bytes is longer than the limit of {}", text_.size(),
                              kPathTextBytesMax));
    }
    if (const auto bad = FindInvalidUtf8(text_); bad != std::string_view::npos) {
      return Wrong(bad, "the path is not valid UTF-8", "write it in UTF-8");
    }
    if (!Next('$')) return Expected("'$', with which every path starts");
    auto query = PATRA_TRY(ParseQuery());
    if (AtEnd()) return query;
    if (IsBlank(text_[at_]))
      return Wrong(at_, "blanks after the path", "nothing: the path ends here");
    return Expected("'.', '..', '[' or the end");
  }

 private:
  // Limits how deep filters, parentheses and functions go into each other.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };

  static Place At(std::size_t offset) { return {.column = static_cast<int>(offset) + 1}; }

  std::unexpected<Error> Wrong(std::size_t offset, std::string message, std::string hint) const {
    return Fail(ErrorCode::kInvalidInput, std::move(message), At(offset), std::move(hint));
  }

  std::unexpected<Error> Expected(std::string_view what) const {
    const auto hint = fmt::format("expected {}", what);
    if (AtEnd()) return Wrong(at_, "the path ends too early", hint);
    const auto character = text_.substr(at_, DecodeUtf8(text_, at_).length);
    const bool visible = static_cast<unsigned char>(character[0]) > 0x20;
    return Wrong(
        at_,
        visible ? fmt::format("unexpected '{}'", character)
                : fmt::format("unexpected {}",
                              character == " " ? "blank" : "line break, tab or control character"),
        hint);
  }

  bool AtEnd() const { return at_ >= text_.size(); }
  bool Next(char c) const { return !AtEnd() && text_[at_] == c; }
  bool Next(std::string_view piece) const { return text_.substr(at_).starts_with(piece); }
  bool Take(char c) {
    if (!Next(c)) return false;
    ++at_;
    return true;
  }
  bool Take(std::string_view piece) {
    if (!Next(piece)) return false;
    at_ += piece.size();
    return true;
  }
  bool NextIsInteger() const { return !AtEnd() && (text_[at_] == '-' || IsDigit(text_[at_])); }
  bool SkipBlanks() {
    const auto start = at_;
    while (!AtEnd() && IsBlank(text_[at_])) ++at_;
    return at_ > start;
  }

  // jsonpath-query or rel-query, at its '$' or '@'
  Result<Query> ParseQuery() {
    Query query{.relative = text_[at_] == '@'};
    ++at_;
    while (true) {
      const auto before = at_;
      SkipBlanks();
      if (!Next('.') && !Next('[')) {
        at_ = before;  // the blanks belong to whatever follows the query
        return query;
      }
      query.segments.push_back(PATRA_TRY(ParseSegment(query)));
    }
  }

  Result<Segment> ParseSegment(Query& query) {
    Segment segment;
    if (Next('[')) {
      bool tight = true;
      segment.selectors = PATRA_TRY(ParseBrackets(tight));
      query.tight &= tight;
    } else {
      segment.descendant = Take("..");
      if (!segment.descendant) ++at_;
      if (Take('*')) {
        segment.selectors.emplace_back(WildcardSelector{});
      } else if (segment.descendant && Next('[')) {
        bool tight = true;
        segment.selectors = PATRA_TRY(ParseBrackets(tight));
      } else {
        auto name = PATRA_TRY(ParseShorthand(segment.descendant));
        segment.selectors.emplace_back(NameSelector{std::move(name)});
      }
    }
    const auto& first = segment.selectors.front();
    query.singular &= !segment.descendant && segment.selectors.size() == 1 &&
                      (std::holds_alternative<NameSelector>(first) ||
                       std::holds_alternative<IndexSelector>(first));
    return segment;
  }

  // member-name-shorthand
  Result<std::string> ParseShorthand(bool descendant) {
    if (AtEnd() || !IsNameStart(text_[at_])) {
      return Expected(descendant ? "a name, '*' or '['" : "a name or '*'");
    }
    const auto start = at_;
    while (!AtEnd() && (IsNameStart(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  // bracketed-selection; `tight` tells whether it has no blanks
  Result<std::vector<Selector>> ParseBrackets(bool& tight) {
    ++at_;
    std::vector<Selector> selectors;
    do {
      tight &= !SkipBlanks();
      selectors.push_back(PATRA_TRY(ParseSelector()));
      tight &= !SkipBlanks();
    } while (Take(','));
    if (!Take(']')) return Expected("',' or ']'");
    return selectors;
  }

  Result<Selector> ParseSelector() {
    if (Next('\'') || Next('"')) return NameSelector{PATRA_TRY(ParseString())};
    if (Take('*')) return WildcardSelector{};
    if (Take('?')) return ParseFilter();
    if (Next(':') || NextIsInteger()) return ParseIndexOrSlice();
    return Expected("a name in quotes, an index, a slice, '*' or '?'");
  }

  // slice-selector = [start S] ":" S [end S] [":" [S step]]
  Result<Selector> ParseIndexOrSlice() {
    SliceSelector slice;
    if (!Next(':')) {
      slice.start = PATRA_TRY(ParseInteger());
      const auto before = at_;
      SkipBlanks();
      if (!Next(':')) {
        at_ = before;
        return IndexSelector{*slice.start};
      }
    }
    ++at_;
    SkipBlanks();
    if (NextIsInteger()) {
      slice.end = PATRA_TRY(ParseInteger());
      SkipBlanks();
    }
    if (Take(':')) {
      const auto before = at_;
      SkipBlanks();
      if (NextIsInteger()) {
        slice.step = PATRA_TRY(ParseInteger());
      } else {
        at_ = before;
      }
    }
    return slice;
  }

  // int = "0" / (["-"] DIGIT1 *DIGIT), within what a double holds exactly
  Result<std::int64_t> ParseInteger() {
    const auto start = at_;
    const bool negative = Take('-');
    if (AtEnd() || !IsDigit(text_[at_])) return Expected("a digit");
    if (Next('0')) {
      if (negative) return Wrong(start, "an integer must not be -0", "write 0");
      ++at_;
      if (!AtEnd() && IsDigit(text_[at_])) {
        return Wrong(start, "an integer must not start with 0", "write it without leading zeros");
      }
      return 0;
    }
    std::int64_t value = 0;
    for (; !AtEnd() && IsDigit(text_[at_]); ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > kIntegerMax) {
        return Wrong(start, "the integer is too large",
                     fmt::format("from -{0} to {0} is allowed", kIntegerMax));
      }
    }
    return negative ? -value : value;
  }

  // string-literal, at its opening quote
  Result<std::string> ParseString() {
    const auto start = at_;
    const char quote = text_[at_++];
    std::string out;
    while (!AtEnd()) {
      const char c = text_[at_];
      if (c == quote) {
        ++at_;
        return out;
      }
      if (static_cast<unsigned char>(c) < 0x20) {
        return Wrong(at_, "a control character inside a string", R"(write it as \n, \t or \u00XX)");
      }
      if (c == '\\') {
        AppendUtf8(PATRA_TRY(ParseEscape(quote)), out);
      } else {
        out += c;
        ++at_;
      }
    }
    return Wrong(start, "the string has no end", fmt::format("expected {} at its end", quote));
  }

  Result<char32_t> ParseEscape(char quote) {
    const auto start = at_++;
    const char c = AtEnd() ? '\0' : text_[at_++];
    constexpr std::string_view kLetters = "bfnrt/\\";
    constexpr std::string_view kMeanings = "\b\f\n\r\t/\\";
    if (c == quote) return static_cast<char32_t>(quote);
    if (c == 'u') return ParseUnicodeEscape(start);
    if (const auto found = kLetters.find(c); found != std::string_view::npos) {
      return static_cast<char32_t>(kMeanings[found]);
    }
    return Wrong(start, "an unknown escape",
                 fmt::format(R"(\b \f \n \r \t \/ \\ \{} and \uXXXX are allowed)", quote));
  }

  // hexchar, behind \u; surrogates only in pairs
  Result<char32_t> ParseUnicodeEscape(std::size_t start) {
    const auto first = PATRA_TRY(ParseHex4());
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first < 0xDC00 && Take("\\u")) {
      const auto second = PATRA_TRY(ParseHex4());
      if (second >= 0xDC00 && second <= 0xDFFF) {
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
      }
    }
    return Wrong(start, "half of a surrogate pair",
                 R"(characters above U+FFFF are two escapes: \ud83d\ude00)");
  }

  Result<char32_t> ParseHex4() {
    std::uint32_t value = 0;
    const auto digits = text_.substr(at_, 4);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool complete = digits.size() == 4 && read.ptr == digits.data() + 4 && digits[0] != '-';
    if (!complete) return Expected("four hexadecimal digits");
    at_ += 4;
    return static_cast<char32_t>(value);
  }

  // filter-selector, behind its '?'
  Result<Selector> ParseFilter() {
    SkipBlanks();
    auto condition = PATRA_TRY(ParseLogical());
    PATRA_TRY(AsTest(condition));
    FilterSelector filter;
    filter.condition.push_back(std::move(condition));
    return filter;
  }

  // logical-or-expr. Where nothing is combined the bare operand comes back, not yet judged.
  Result<Expression> ParseLogical() {
    const Level level(depth_);
    if (depth_ > kNestingMax) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("the path is nested deeper than {} levels", kNestingMax), At(at_));
    }
    return ParseChain("||", Logical::Kind::kOr, [this] {
      return ParseChain("&&", Logical::Kind::kAnd, [this] { return ParseBasic(); });
    });
  }

  template <typename ParseOperand>
  Result<Expression> ParseChain(std::string_view joint, Logical::Kind kind,
                                ParseOperand parse_operand) {
    auto first = PATRA_TRY(parse_operand());
    if (!TakeJoint(joint)) return first;
    Expression chain{.offset = first.offset};
    Logical logical{.kind = kind};
    PATRA_TRY(AsTest(first));
    logical.operands.push_back(std::move(first));
    do {
      SkipBlanks();
      auto next = PATRA_TRY(parse_operand());
      PATRA_TRY(AsTest(next));
      logical.operands.push_back(std::move(next));
    } while (TakeJoint(joint));
    chain.content = std::move(logical);
    return chain;
  }

  bool TakeJoint(std::string_view joint) {
    const auto before = at_;
    SkipBlanks();
    if (Take(joint)) return true;
    at_ = before;
    return false;
  }

  // basic-expr = paren-expr / comparison-expr / test-expr
  Result<Expression> ParseBasic() {
    if (Next('!')) return ParseNot();
    if (Next('(')) return ParseGroup();
    auto left = PATRA_TRY(ParseOperand());
    const auto before = at_;
    SkipBlanks();
    const auto comparison = TakeComparison();
    if (!comparison) {
      at_ = before;
      return left;
    }
    SkipBlanks();
    auto right = PATRA_TRY(ParseOperand());
    PATRA_TRY(AsComparable(left));
    PATRA_TRY(AsComparable(right));
    Expression result{.offset = left.offset};
    Compared compared{.comparison = *comparison};
    compared.sides.push_back(std::move(left));
    compared.sides.push_back(std::move(right));
    result.content = std::move(compared);
    return result;
  }

  Result<Expression> ParseNot() {
    Expression negation{.offset = at_++};
    SkipBlanks();
    auto operand = Next('(') ? PATRA_TRY(ParseGroup()) : PATRA_TRY(ParseOperand());
    PATRA_TRY(AsTest(operand));
    const auto behind = at_;
    SkipBlanks();
    if (const auto column = at_; TakeComparison()) {
      return Wrong(column, "'!' in front of a comparison", "put the comparison in parentheses");
    }
    at_ = behind;
    Logical logical{.kind = Logical::Kind::kNot};
    logical.operands.push_back(std::move(operand));
    negation.content = std::move(logical);
    return negation;
  }

  Result<Expression> ParseGroup() {
    Expression group{.offset = at_++};
    SkipBlanks();
    auto inner = PATRA_TRY(ParseLogical());
    PATRA_TRY(AsTest(inner));
    SkipBlanks();
    if (!Take(')')) return Expected("'&&', '||' or ')'");
    Logical logical{.kind = Logical::Kind::kAnd};
    logical.operands.push_back(std::move(inner));
    group.content = std::move(logical);
    return group;
  }

  std::optional<Comparison> TakeComparison() {
    if (Take("==")) return Comparison::kEqual;
    if (Take("!=")) return Comparison::kNotEqual;
    if (Take("<=")) return Comparison::kLessOrEqual;
    if (Take(">=")) return Comparison::kGreaterOrEqual;
    if (Take('<')) return Comparison::kLess;
    if (Take('>')) return Comparison::kGreater;
    return std::nullopt;
  }

  // A literal, a query or a function call.
  Result<Expression> ParseOperand() {
    Expression operand{.offset = at_};
    if (Next('@') || Next('$')) {
      operand.content = PATRA_TRY(ParseQuery());
    } else if (Next('\'') || Next('"')) {
      operand.content = Literal(PATRA_TRY(ParseString()));
    } else if (NextIsInteger()) {
      operand.content = Literal(PATRA_TRY(ParseNumber()));
    } else if (!AtEnd() && IsLowerLetter(text_[at_])) {
      PATRA_TRY(ParseWord(operand));
    } else {
      return Expected("'@', '$', a literal, a function, '!' or '('");
    }
    return operand;
  }

  // number = (int / "-0") [frac] [exp]
  Result<Number> ParseNumber() {
    const auto start = at_;
    bool whole = true;
    Take('-');
    if (Take('0')) {
      if (!AtEnd() && IsDigit(text_[at_])) {
        return Wrong(start, "a number must not start with 0", "write it without leading zeros");
      }
    } else {
      PATRA_TRY(SkipDigits());
    }
    if (Take('.')) {
      whole = false;
      PATRA_TRY(SkipDigits());
    }
    if (Take('e') || Take('E')) {
      whole = false;
      if (!Take('+')) Take('-');
      PATRA_TRY(SkipDigits());
    }
    return NumberOf(text_.substr(start, at_ - start), whole, start);
  }

  Result<void> SkipDigits() {
    if (AtEnd() || !IsDigit(text_[at_])) return Expected("a digit");
    while (!AtEnd() && IsDigit(text_[at_])) ++at_;
    return {};
  }

  Result<Number> NumberOf(std::string_view digits, bool whole, std::size_t start) const {
    const char* begin = digits.data();
    const char* end = begin + digits.size();
    if (std::int64_t value = 0; whole && std::from_chars(begin, end, value).ec == std::errc()) {
      return Number(value);
    }
    if (std::uint64_t value = 0; whole && std::from_chars(begin, end, value).ec == std::errc()) {
      return Number(value);
    }
    const double value = std::strtod(std::string(digits).c_str(), nullptr);
    if (std::isinf(value)) {
      return Wrong(start, "the number is larger than a double can hold",
                   "no document contains a number like this");
    }
    return Number(value);
  }

  // true, false, null or a function call
  Result<void> ParseWord(Expression& operand) {
    const auto start = at_;
    while (!AtEnd() && (IsLowerLetter(text_[at_]) || IsDigit(text_[at_]) || text_[at_] == '_')) {
      ++at_;
    }
    const auto word = text_.substr(start, at_ - start);
    if (Next('(')) {
      operand.content = PATRA_TRY(ParseCall(word, start));
    } else if (word == "true" || word == "false") {
      operand.content = Literal(word == "true");
    } else if (word == "null") {
      operand.content = Literal(Null{});
    } else {
      at_ = start;
      return Wrong(start, fmt::format("unexpected '{}'", word),
                   "expected true, false, null, a function call, or quotes around a string");
    }
    return {};
  }

  // function-expr, at its opening parenthesis
  Result<Call> ParseCall(std::string_view name, std::size_t start) {
    const auto signature = std::ranges::find(Signatures(), name, &Signature::name);
    if (signature == Signatures().end()) {
      return Wrong(start, fmt::format("unknown function '{}'", name),
                   "expected length, count, match, search or value");
    }
    Call call{.function = signature->function};
    ++at_;
    SkipBlanks();
    if (!Next(')')) {
      do {
        SkipBlanks();
        call.arguments.push_back(PATRA_TRY(ParseLogical()));
        SkipBlanks();
      } while (Take(','));
    }
    if (!Next(')')) return Expected("',' or ')'");
    if (call.arguments.size() != signature->parameters.size()) {
      return Wrong(at_, fmt::format("{} arguments for {}()", call.arguments.size(), name),
                   fmt::format("expected {}", signature->parameters.size()));
    }
    ++at_;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      PATRA_TRY(CheckArgument(call.arguments[i], signature->parameters[i]));
    }
    PATRA_TRY(CompilePattern(call));
    return call;
  }

  // A literal that is no I-Regexp matches nothing and is no error (RFC 9535 §2.4.6).
  static Result<void> CompilePattern(Call& call) {
    if (call.function != Function::kMatch && call.function != Function::kSearch) return {};
    const auto* literal = std::get_if<Literal>(&call.arguments[1].content);
    if (literal == nullptr) return {};
    call.constant_pattern = true;
    const auto* pattern = std::get_if<std::string>(literal);
    if (pattern == nullptr) return {};
    auto compiled = IRegexp::Compile(*pattern);
    if (compiled) {
      call.pattern = *std::move(compiled);
    } else if (compiled.error().code == ErrorCode::kLimit) {
      return std::unexpected(std::move(compiled).error().At(At(call.arguments[1].offset)));
    }
    return {};
  }

  // Well-typedness (§2.4.3) ------------------------------------------------------------------

  Result<void> AsTest(const Expression& expression) const {
    if (std::holds_alternative<Literal>(expression.content)) {
      return Wrong(expression.offset, "a literal alone tests nothing",
                   "expected a comparison, a query or a function that tests");
    }
    const auto* call = std::get_if<Call>(&expression.content);
    if (call != nullptr && SignatureOf(*call).result == Type::kValue) {
      return Wrong(expression.offset,
                   fmt::format("the value of {}() tests nothing", SignatureOf(*call).name),
                   "expected a comparison with it");
    }
    return {};
  }

  Result<void> AsComparable(const Expression& expression) const {
    if (std::holds_alternative<Literal>(expression.content)) return {};
    if (const auto* query = std::get_if<Query>(&expression.content)) {
      return IsValueQuery(expression, *query);
    }
    const auto* call = std::get_if<Call>(&expression.content);
    if (call != nullptr && SignatureOf(*call).result == Type::kValue) return {};
    return Wrong(expression.offset, "this has no value to compare",
                 "expected a literal, a singular query or a function with a value");
  }

  Result<void> IsValueQuery(const Expression& expression, const Query& query) const {
    if (!query.singular) {
      return Wrong(expression.offset, "the query may select several nodes",
                   "expected names and indexes only, or value() around it");
    }
    if (!query.tight) {
      return Wrong(expression.offset,
                   "blanks inside the brackets of a query that stands for a value",
                   "expected ['name'] or [0] without blanks");
    }
    return {};
  }

  Result<void> CheckArgument(const Expression& argument, Type wanted) const {
    if (wanted == Type::kLogical) return AsTest(argument);
    if (wanted == Type::kValue) return AsComparable(argument);
    const auto* call = std::get_if<Call>(&argument.content);
    const bool yields_nodes = std::holds_alternative<Query>(argument.content) ||
                              (call != nullptr && SignatureOf(*call).result == Type::kNodes);
    if (yields_nodes) return {};
    return Wrong(argument.offset, "the function wants nodes", "expected a query");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Query> Parse(std::string_view text) { return Parser(text).Run(); }

}  // namespace patra::jsonpath
