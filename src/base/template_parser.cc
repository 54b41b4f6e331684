#include "base/template_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/close_match.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra::expression {
namespace {

constexpr std::size_t kArgumentsMax = 32;

bool IsNameByte(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-'; }
bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }

// "window.from", "ids[0]", "a['odd name']"
std::string PrintPath(const Path& path) {
  std::string text;
  for (const auto& step : path.steps) {
    if (const auto* index = std::get_if<std::int64_t>(&step)) {
      text += fmt::format("[{}]", *index);
      continue;
    }
    const auto& name = std::get<std::string>(step);
    const bool plain = !name.empty() && std::ranges::all_of(name, IsNameByte);
    if (!plain) {
      text += fmt::format("['{}']", name);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : ".", name);
    }
  }
  return text;
}

class Parser {
 public:
  Parser(std::string_view text, const TemplateOptions& options)
      : scanner_(text), options_(options) {}

  Result<ParsedTemplate> Parse() {
    std::string literal;
    const auto finish_literal = [&] {
      if (!literal.empty()) parsed_.pieces.emplace_back(std::exchange(literal, {}));
    };
    while (!scanner_.done()) {
      literal += scanner_.TakeWhile([](char c) { return c != '$'; });
      if (scanner_.Take("$${")) {
        literal += "${";
      } else if (scanner_.rest().starts_with("${")) {
        finish_literal();
        parsed_.pieces.emplace_back(PATRA_TRY(Placeholder()));
      } else if (scanner_.Take('$')) {
        literal += '$';
      }
    }
    finish_literal();
    return std::move(parsed_);
  }

 private:
  std::unexpected<Error> Refuse(std::size_t offset, std::string message,
                                std::string hint = {}) const {
    return Fail(ErrorCode::kInvalidInput, std::move(message),
                PlaceInTemplate(scanner_.text(), offset), std::move(hint));
  }

  std::unexpected<Error> Expected(std::string_view what, std::string hint = {}) const {
    const auto found = scanner_.done() ? "the end" : Quote(scanner_.rest().substr(0, 1));
    return Refuse(scanner_.offset(), fmt::format("expected {}, found {}", what, found),
                  std::move(hint));
  }

  Result<Expression> Placeholder() {
    scanner_.Take("${");
    auto expression = PATRA_TRY(ParsePipe(0));
    if (!scanner_.Take('}')) {
      if (scanner_.peek() == ':') {
        return Expected("'|' or '}'",
                        "references as ${env:NAME} are resolved where credentials and settings are "
                        "read, not in templates");
      }
      return Expected("'|' or '}'", "a literal ${ is written $${");
    }
    return expression;
  }

  // An expression with the pipes behind it; stops in front of what cannot belong to it.
  Result<Expression> ParsePipe(int depth) {
    auto expression = PATRA_TRY(ParsePrimary(depth));
    scanner_.SkipBlanks();
    while (scanner_.Take('|')) {
      scanner_.SkipBlanks();
      const auto start = scanner_.offset();
      if (!IsNameStart(scanner_.peek())) return Expected("the name of a function");
      const auto name = scanner_.TakeWhile(IsNameByte);
      std::vector<Expression> arguments;
      arguments.push_back(std::move(expression));
      expression = PATRA_TRY(ParseCall(name, start, std::move(arguments), depth));
      scanner_.SkipBlanks();
    }
    return expression;
  }

  Result<Expression> ParsePrimary(int depth) {
    scanner_.SkipBlanks();
    const auto start = scanner_.offset();
    const char c = scanner_.peek();
    if (c == '\'' || c == '"') {
      auto text = PATRA_TRY(ParseText());
      return Expression{start, Constant{Value(std::move(text)), {}}};
    }
    if (IsDigit(c) || c == '-') {
      auto number = PATRA_TRY(ParseNumber());
      return Expression{start, Constant{std::move(number), {}}};
    }
    if (!IsNameStart(c)) return Expected("a name, a function, a number or a text in quotes");

    const auto name = scanner_.TakeWhile(IsNameByte);
    if (name == "true") return Expression{start, Constant{Value(true), {}}};
    if (name == "false") return Expression{start, Constant{Value(false), {}}};
    if (name == "null") return Expression{start, Constant{Value(), {}}};
    if (scanner_.peek() == '(') return ParseCall(name, start, {}, depth);
    return ParsePath(name, start);
  }

  // --- Calls

  // Behind the name; `arguments` holds what was piped in.
  Result<Expression> ParseCall(std::string_view name, std::size_t start,
                               std::vector<Expression> arguments, int depth) {
    const auto functions = Functions();
    const auto function = std::ranges::find(functions, name, &Function::name);
    if (function == functions.end()) return UnknownFunction(name, start);
    if (++calls_ > options_.limits.calls_max) {
      return Limit(start, fmt::format("more than {} function calls", options_.limits.calls_max));
    }
    if (depth >= options_.limits.depth_max) {
      return Limit(start, fmt::format("calls nested deeper than {}", options_.limits.depth_max));
    }
    if (scanner_.Take('(')) {
      scanner_.SkipBlanks();
      if (!scanner_.Take(')')) PATRA_TRY(ParseArguments(arguments, depth));
    }
    return CheckedCall(*function, start, std::move(arguments));
  }

  Result<void> ParseArguments(std::vector<Expression>& arguments, int depth) {
    while (true) {
      arguments.push_back(PATRA_TRY(ParsePipe(depth + 1)));
      if (arguments.size() > kArgumentsMax) {
        return Limit(scanner_.offset(), fmt::format("more than {} arguments", kArgumentsMax));
      }
      if (scanner_.Take(')')) return {};
      if (!scanner_.Take(',')) return Expected("',' or ')'");
    }
  }

  std::unexpected<Error> Limit(std::size_t offset, std::string_view what) const {
    return Fail(ErrorCode::kLimit, fmt::format("the template has {}", what),
                PlaceInTemplate(scanner_.text(), offset));
  }

  std::unexpected<Error> UnknownFunction(std::string_view name, std::size_t start) const {
    std::vector<std::string_view> names;
    for (const auto& function : Functions()) names.push_back(function.name);
    return Refuse(start, fmt::format("there is no function {}", Quote(name)),
                  DidYouMean(name, names, fmt::format("there are {}", fmt::join(names, ", "))));
  }

  Result<Expression> CheckedCall(const Function& function, std::size_t start,
                                 std::vector<Expression> arguments) {
    const auto most = function.variadic ? kArgumentsMax : function.parameters.size();
    if (arguments.size() < function.required || arguments.size() > most) {
      return Refuse(start,
                    fmt::format("{} does not take {} argument{}", function.name, arguments.size(),
                                arguments.size() == 1 ? "" : "s"),
                    function.Signature() + ", where a pipe gives the first");
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      auto* constant = std::get_if<Constant>(&arguments[i].what);
      if (constant == nullptr || constant->value.is_null()) continue;
      auto prepared = Prepare(function.ParameterAt(i), constant->value);
      if (!prepared) return WrongConstant(function, arguments[i], std::move(prepared).error());
      constant->prepared = *std::move(prepared);
    }
    return Expression{start, Call{&function, std::move(arguments)}};
  }

  // Places inside a constant begin behind its quote, as long as nothing before them is escaped.
  std::unexpected<Error> WrongConstant(const Function& function, const Expression& argument,
                                       Error error) const {
    auto offset = argument.offset;
    const auto written = scanner_.text().substr(argument.offset);
    const auto inside = static_cast<std::size_t>(std::max(error.place.column, 0));
    if (inside > 0 && !written.substr(0, inside + 1).contains('\\')) offset += inside;
    error.place = PlaceInTemplate(scanner_.text(), offset);
    return std::unexpected(std::move(error).While(function.name));
  }

  // --- Paths

  // Behind the first name.
  Result<Expression> ParsePath(std::string_view root, std::size_t start) {
    PATRA_TRY(CheckRoot(root, start));
    Path path{{std::string(root)}};
    while (true) {
      if (scanner_.Take('.')) {
        const auto name = scanner_.TakeWhile(IsNameByte);
        if (name.empty()) return Expected("a name", "other names are written ['odd name']");
        path.steps.emplace_back(std::string(name));
      } else if (scanner_.Take('[')) {
        path.steps.push_back(PATRA_TRY(ParseStep()));
        scanner_.SkipBlanks();
        if (!scanner_.Take(']')) return Expected("']'");
      } else {
        break;
      }
    }
    auto printed = PrintPath(path);
    if (std::ranges::find(parsed_.paths, printed) == parsed_.paths.end()) {
      parsed_.paths.push_back(std::move(printed));
    }
    return Expression{start, std::move(path)};
  }

  Result<PathStep> ParseStep() {
    scanner_.SkipBlanks();
    const char c = scanner_.peek();
    if (c == '\'' || c == '"') return PathStep(PATRA_TRY(ParseText()));
    const bool from_end = scanner_.Take('-');
    const auto index = scanner_.TakeNumber(1, 9);
    if (!index) return Expected("an index or a name in quotes");
    return PathStep(std::int64_t{from_end ? -*index : *index});
  }

  Result<void> CheckRoot(std::string_view root, std::size_t start) const {
    if (!options_.roots || std::ranges::find(*options_.roots, root) != options_.roots->end()) {
      return {};
    }
    const auto functions = Functions();
    if (std::ranges::find(functions, root, &Function::name) != functions.end()) {
      return Refuse(start, fmt::format("there is nothing named {} here", Quote(root)),
                    fmt::format("for the function write {}()", root));
    }
    return Refuse(start, fmt::format("there is nothing named {} here", Quote(root)),
                  DidYouMean(root, *options_.roots,
                             fmt::format("there are {}", fmt::join(*options_.roots, ", "))));
  }

  // --- Literals

  Result<std::string> ParseText() {
    const auto start = scanner_.offset();
    const char quote = scanner_.peek();
    scanner_.Take(quote);
    std::string text;
    while (true) {
      text += scanner_.TakeWhile([quote](char c) { return c != quote && c != '\\'; });
      if (scanner_.Take(quote)) return text;
      if (!scanner_.Take('\\')) return Refuse(start, "this quote is not closed");
      text += PATRA_TRY(ParseEscape());
    }
  }

  // Behind a backslash.
  Result<char> ParseEscape() {
    const char c = scanner_.peek();
    constexpr std::string_view kWritten = "\\'\"nrt";
    constexpr std::string_view kMeant = "\\'\"\n\r\t";
    const auto at = scanner_.done() ? std::string_view::npos : kWritten.find(c);
    if (at == std::string_view::npos) {
      return Expected("one of \\ ' \" n r t behind a backslash",
                      "a backslash itself is written twice");
    }
    scanner_.Take(c);
    return kMeant[at];
  }

  Result<Value> ParseNumber() {
    const auto start = scanner_.offset();
    const auto written = scanner_.TakeWhile(
        [](char c) { return IsDigit(c) || IsLetter(c) || c == '.' || c == '-' || c == '+'; });
    const auto* end = written.data() + written.size();
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(written.data(), end, integer);
        read.ec == std::errc{} && read.ptr == end) {
      return Value(integer);
    }
    double number = 0;
    if (const auto read = std::from_chars(written.data(), end, number);
        read.ec == std::errc{} && read.ptr == end && std::isfinite(number)) {
      return Value(number);
    }
    return Refuse(start, fmt::format("{} is no number", Quote(written)), "put texts into quotes");
  }

  TextScanner scanner_;
  const TemplateOptions& options_;
  ParsedTemplate parsed_;
  int calls_ = 0;
};

}  // namespace

Place PlaceInTemplate(std::string_view text, std::size_t offset) {
  if (text.contains('\n')) return PlaceOfOffset(text, offset);
  return TextScanner::PlaceAt(offset);
}

Result<ParsedTemplate> ParseTemplate(std::string_view text, const TemplateOptions& options) {
  if (text.size() > options.limits.bytes_max) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a template of {} bytes is longer than the limit of {}", text.size(),
                            options.limits.bytes_max));
  }
  if (const auto bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidInput, "the template is not valid UTF-8",
                PlaceInTemplate(text, bad));
  }
  return Parser(text, options).Parse();
}

}  // namespace patra::expression
