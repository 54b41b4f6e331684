#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/placement.h"
#include "base/template_expression.h"
#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra::expression {
namespace {

using std::chrono::days;

// --- Limits ----------------------------------------------------------------------------------

std::unexpected<Error> TooLong(const RenderLimits& limits) {
  return Fail(ErrorCode::kLimit,
              fmt::format("the text is longer than the limit of {} bytes", limits.bytes_max));
}

std::unexpected<Error> TooMany(const RenderLimits& limits) {
  return Fail(ErrorCode::kLimit,
              fmt::format("the list has more than the limit of {} items", limits.list_items_max));
}

// --- Time ------------------------------------------------------------------------------------

Operand MomentOperand(Instant instant) { return Value(FormatRfc3339(instant)); }

Result<Operand> Now(Arguments& arguments) { return MomentOperand(arguments.options().now); }

Result<Operand> FormatDateTime(Arguments& arguments) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  const auto* pattern = PATRA_TRY(arguments.Pattern(1));
  const auto zone = PATRA_TRY(arguments.Zone(2));
  return Value(pattern->Format(moment, zone));
}

Result<Operand> ParseDateTime(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto* pattern = PATRA_TRY(arguments.Pattern(1));
  const auto zone = PATRA_TRY(arguments.Zone(2));
  const auto moment = PATRA_TRY(pattern->Parse(text, arguments.options().now, zone));
  return MomentOperand(moment);
}

// Days and longer units are those of the calendar in the zone; shorter ones count in its offset.
Result<Instant> FloorToUnit(Instant moment, std::string_view unit, const TimeZone& zone) {
  const auto local = zone.ToLocal(moment);
  const auto day = std::chrono::floor<days>(local);
  const std::chrono::year_month_day date{day};
  const auto since = [&](auto start) { return Add(moment, start - local); };
  if (unit == "second") return since(std::chrono::floor<std::chrono::seconds>(local));
  if (unit == "minute") return since(std::chrono::floor<std::chrono::minutes>(local));
  if (unit == "hour") return since(std::chrono::floor<std::chrono::hours>(local));
  if (unit == "day") return zone.ToUtc(day);
  if (unit == "week") {
    return zone.ToUtc(day - (std::chrono::weekday{day} - std::chrono::Monday));
  }
  if (unit == "month") return zone.ToUtc(std::chrono::local_days{date.year() / date.month() / 1});
  if (unit == "year") return zone.ToUtc(std::chrono::local_days{date.year() / 1 / 1});

  const auto length = ParseDuration(unit);
  if (!length || *length <= Duration{0}) {
    return Fail(ErrorCode::kInvalidInput, "there is no such unit of time", {},
                "use second, minute, hour, day, week, month, year or a duration as '15m'");
  }
  const auto count = moment.time_since_epoch().count();
  const auto step = length->count();
  const auto beyond = (count % step + step) % step;
  return Add(moment, Duration{-beyond});
}

Result<Operand> FloorTo(Arguments& arguments) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  const auto unit = PATRA_TRY(arguments.Text(1));
  const auto zone = PATRA_TRY(arguments.Zone(2));
  const auto floored = PATRA_TRY(FloorToUnit(moment, unit, zone));
  return MomentOperand(floored);
}

Result<Operand> StartOfDay(Arguments& arguments) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  const auto zone = PATRA_TRY(arguments.Zone(1));
  const auto start = PATRA_TRY(zone.StartOfDay(moment));
  return MomentOperand(start);
}

Result<Operand> ToEpochSeconds(Arguments& arguments) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  return Value(EpochSeconds(moment));
}

Result<Operand> ToEpochMillis(Arguments& arguments) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  return Value(EpochMillis(moment));
}

// --- Numbers ---------------------------------------------------------------------------------

bool IsNumber(const Value& value) {
  return value.AsInteger() != nullptr || value.AsDouble() != nullptr;
}

double Double(const Value& value) {
  const auto* integer = value.AsInteger();
  return integer != nullptr ? static_cast<double>(*integer) : *value.AsDouble();
}

Number NumberOf(const Value& value) {
  const auto* integer = value.AsInteger();
  return integer != nullptr ? Number(*integer) : Number(*value.AsDouble());
}

// Integers stay integers, and an overflow is an error, not a rounded number.
template <typename OnIntegers, typename OnDoubles>
Result<Operand> Calculate(const Arguments& arguments, OnIntegers on_integers,
                          OnDoubles on_doubles) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!IsNumber(arguments[i])) return arguments.Wrong(i, "a number");
  }
  const auto* a = arguments[0].AsInteger();
  const auto* b = arguments[1].AsInteger();
  if (a != nullptr && b != nullptr) {
    std::int64_t result = 0;
    if (!on_integers(*a, *b, &result)) return Value(result);
  } else if (const double result = on_doubles(Double(arguments[0]), Double(arguments[1]));
             std::isfinite(result)) {
    return Value(result);
  }
  return Fail(ErrorCode::kInvalidInput, "the result is too large a number");
}

Result<Operand> Shift(Arguments& arguments, int direction) {
  const auto moment = PATRA_TRY(arguments.Moment(0));
  const auto length = PATRA_TRY(arguments.Length(1));
  if (length == Duration::min()) return Fail(ErrorCode::kInvalidInput, "the duration is too long");
  const auto shifted = PATRA_TRY(Add(moment, length * direction));
  return MomentOperand(shifted);
}

Result<Operand> Plus(Arguments& arguments) {
  if (arguments[0].AsString() != nullptr) return Shift(arguments, 1);
  return Calculate(
      arguments, [](auto a, auto b, auto* sum) { return __builtin_add_overflow(a, b, sum); },
      [](double a, double b) { return a + b; });
}

Result<Operand> Minus(Arguments& arguments) {
  if (arguments[0].AsString() != nullptr) return Shift(arguments, -1);
  return Calculate(
      arguments, [](auto a, auto b, auto* rest) { return __builtin_sub_overflow(a, b, rest); },
      [](double a, double b) { return a - b; });
}

Result<Operand> Times(Arguments& arguments) {
  return Calculate(
      arguments,
      [](auto a, auto b, auto* product) { return __builtin_mul_overflow(a, b, product); },
      [](double a, double b) { return a * b; });
}

Result<Operand> ToNumber(Arguments& arguments) {
  if (IsNumber(arguments[0])) return arguments.Take(0);
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto trimmed = Trim(text);
  const auto* end = trimmed.data() + trimmed.size();
  std::int64_t integer = 0;
  if (const auto read = std::from_chars(trimmed.data(), end, integer);
      read.ec == std::errc{} && read.ptr == end) {
    return Value(integer);
  }
  double number = 0;
  if (const auto read = std::from_chars(trimmed.data(), end, number);
      read.ec == std::errc{} && read.ptr == end && std::isfinite(number)) {
    return Value(number);
  }
  return arguments.Wrong(0, "a number in digits");
}

// --- Choices ---------------------------------------------------------------------------------

Result<Operand> Coalesce(Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_null()) return arguments.Take(i);
  }
  return Value();
}

bool Equal(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return NumberOf(a) == NumberOf(b);
  return a == b;
}

Result<Operand> Eq(Arguments& arguments) { return Value(Equal(arguments[0], arguments[1])); }

Result<Operand> If(Arguments& arguments) {
  const auto* condition = arguments[0].AsBool();
  if (condition == nullptr && !arguments[0].is_null()) {
    return arguments.Wrong(0, "true or false");
  }
  if (condition != nullptr && *condition) return arguments.Take(1);
  if (arguments.size() == 3) return arguments.Take(2);
  return Value();
}

// --- Texts -----------------------------------------------------------------------------------

Result<Operand> Concat(Arguments& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += PATRA_TRY(arguments.Text(i));
    if (text.size() > arguments.limits().bytes_max) return TooLong(arguments.limits());
  }
  return Value(std::move(text));
}

// Items that are null are left out.
Result<Operand> Join(Arguments& arguments) {
  const auto* items = PATRA_TRY(arguments.List(0));
  const auto separator = PATRA_TRY(arguments.Text(1));
  std::string text;
  bool first = true;
  for (const auto& item : *items) {
    if (item.is_null()) continue;
    if (!first) text += separator;
    first = false;
    text += PATRA_TRY(ScalarText(item));
    if (text.size() > arguments.limits().bytes_max) return TooLong(arguments.limits());
  }
  return Value(std::move(text));
}

Result<Operand> Split(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto separator = PATRA_TRY(arguments.Text(1));
  if (separator.empty()) return arguments.Wrong(1, "a text that is not empty");
  Value::Array pieces;
  for (std::size_t start = 0;;) {
    if (pieces.size() == arguments.limits().list_items_max) return TooMany(arguments.limits());
    const auto end = text.find(separator, start);
    pieces.emplace_back(text.substr(start, end - start));
    if (end == std::string::npos) return Value(std::move(pieces));
    start = end + separator.size();
  }
}

Result<Operand> Replace(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto from = PATRA_TRY(arguments.Text(1));
  const auto to = PATRA_TRY(arguments.Text(2));
  if (from.empty()) return arguments.Wrong(1, "a text that is not empty");
  std::string replaced;
  for (std::size_t start = 0;;) {
    const auto end = text.find(from, start);
    replaced.append(text, start, end - start);
    if (end == std::string::npos) return Value(std::move(replaced));
    replaced += to;
    if (replaced.size() > arguments.limits().bytes_max) return TooLong(arguments.limits());
    start = end + from.size();
  }
}

Result<Operand> Lower(Arguments& arguments) {
  auto text = PATRA_TRY(arguments.Text(0));
  std::ranges::transform(text, text.begin(), ToLower);
  return Value(std::move(text));
}

Result<Operand> Upper(Arguments& arguments) {
  auto text = PATRA_TRY(arguments.Text(0));
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return Value(std::move(text));
}

Result<Operand> TrimBlanks(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  return Value(Trim(text));
}

// Where each character begins, and the end. A byte that is no UTF-8 counts as one.
std::vector<std::size_t> CharacterStarts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    at += std::max<std::size_t>(DecodeUtf8(text, at).length, 1);
  }
  starts.push_back(text.size());
  return starts;
}

Result<Operand> Substring(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto starts = CharacterStarts(text);
  const auto count = static_cast<std::int64_t>(starts.size()) - 1;
  const auto position = [&](std::int64_t index) {
    if (index < 0) index = std::max<std::int64_t>(index, -count) + count;
    return starts[static_cast<std::size_t>(std::min(index, count))];
  };
  const auto start = position(PATRA_TRY(arguments.Integer(1)));
  const auto end = arguments.size() == 3 ? position(PATRA_TRY(arguments.Integer(2))) : text.size();
  return Value(start < end ? text.substr(start, end - start) : std::string());
}

Result<Operand> PadLeft(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  const auto width = PATRA_TRY(arguments.Integer(1));
  const auto fill = arguments.size() == 3 ? PATRA_TRY(arguments.Text(2)) : std::string(" ");
  if (width < 0 || static_cast<std::uint64_t>(width) > arguments.limits().bytes_max) {
    return arguments.Wrong(1, fmt::format("0 to {}", arguments.limits().bytes_max));
  }
  if (CharacterStarts(fill).size() != 2) return arguments.Wrong(2, "one character");
  const auto missing = width - (static_cast<std::int64_t>(CharacterStarts(text).size()) - 1);
  std::string padded;
  for (std::int64_t i = 0; i < missing; ++i) padded += fill;
  return Value(padded + text);
}

Result<Operand> UrlEncode(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  return Value(PercentEncode(text));
}

Result<Operand> ToBase64(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  return Value(Base64(text));
}

Result<Operand> ToSha256(Arguments& arguments) {
  const auto text = PATRA_TRY(arguments.Text(0));
  return Value(Sha256Hex(text));
}

// --- Values ----------------------------------------------------------------------------------

Result<Operand> ToJson(Arguments& arguments) {
  auto json = PATRA_TRY(JsonBody(arguments[0]));
  return Value(std::move(json));
}

Result<Operand> Length(Arguments& arguments) {
  const auto& value = arguments[0];
  std::size_t length = 0;
  if (const auto* items = value.AsArray()) {
    length = items->size();
  } else if (const auto* members = value.AsObject()) {
    length = members->size();
  } else {
    const auto text = PATRA_TRY(arguments.Text(0));
    length = CharacterStarts(text).size() - 1;
  }
  return Value(static_cast<std::int64_t>(length));
}

Result<Operand> First(Arguments& arguments) {
  const auto* items = PATRA_TRY(arguments.List(0));
  return items->empty() ? Value() : items->front();
}

Result<Operand> Last(Arguments& arguments) {
  const auto* items = PATRA_TRY(arguments.List(0));
  return items->empty() ? Value() : items->back();
}

Result<Operand> SelectByPath(Arguments& arguments) {
  const auto* path = PATRA_TRY(arguments.Json(1));
  const PathLimits limits{.results_max = arguments.limits().list_items_max,
                          .steps_max = arguments.limits().path_steps_max};
  const Node root(arguments[0]);
  const auto nodes_max = arguments.limits().bytes_max;
  if (path->singular()) {
    const auto found = PATRA_TRY(path->First(root, limits));
    return found ? PATRA_TRY(ToValue(*found, nodes_max)) : Value();
  }
  const auto nodes = PATRA_TRY(path->Select(root, limits));
  Value::Array selected;
  selected.reserve(nodes.size());
  for (const auto node : nodes) selected.push_back(PATRA_TRY(ToValue(node, nodes_max)));
  return Value(std::move(selected));
}

// --- The white list --------------------------------------------------------------------------

constexpr Parameter kValueParameter{"value", Role::kValue};
constexpr Parameter kTextParameter{"text", Role::kText};
constexpr Parameter kListParameter{"list", Role::kList};
constexpr Parameter kMomentParameter{"moment", Role::kMoment};
constexpr Parameter kPatternParameter{"pattern", Role::kPattern};
constexpr Parameter kZoneParameter{"zone", Role::kZone};
constexpr Parameter kSeparatorParameter{"separator", Role::kText};

std::vector<Function> MakeFunctions() {
  // plus and minus take a number with a number or a moment with a duration: what fits is known when
  // they are called.
  const std::vector<Parameter> terms = {{"value", Role::kValue},
                                        {"other", Role::kDurationOrNumber}};
  return {
      {"base64", {kTextParameter}, 1, ToBase64},
      {"coalesce", {kValueParameter}, 1, Coalesce, true, true},
      {"concat", {kTextParameter}, 1, Concat, false, true},
      {"default", {kValueParameter, {"otherwise", Role::kValue}}, 2, Coalesce, true},
      {"epochMillis", {kMomentParameter}, 1, ToEpochMillis},
      {"epochSeconds", {kMomentParameter}, 1, ToEpochSeconds},
      {"eq", {{"a", Role::kValue}, {"b", Role::kValue}}, 2, Eq, true},
      {"first", {kListParameter}, 1, First},
      {"floorTo", {kMomentParameter, {"unit", Role::kUnit}, kZoneParameter}, 2, FloorTo},
      {"formatDateTime", {kMomentParameter, kPatternParameter, kZoneParameter}, 2, FormatDateTime},
      {"if",
       {{"condition", Role::kValue}, {"then", Role::kValue}, {"otherwise", Role::kValue}},
       2,
       If,
       true},
      {"join", {kListParameter, kSeparatorParameter}, 2, Join},
      {"jsonPath", {kValueParameter, {"path", Role::kPath}}, 2, SelectByPath},
      {"last", {kListParameter}, 1, Last},
      {"length", {kValueParameter}, 1, Length},
      {"lower", {kTextParameter}, 1, Lower},
      {"minus", terms, 2, Minus},
      {"now", {}, 0, Now},
      {"padLeft", {kTextParameter, {"width", Role::kNumber}, {"fill", Role::kText}}, 2, PadLeft},
      {"parseDateTime", {kTextParameter, kPatternParameter, kZoneParameter}, 2, ParseDateTime},
      {"plus", terms, 2, Plus},
      {"replace", {kTextParameter, {"from", Role::kText}, {"to", Role::kText}}, 3, Replace},
      {"sha256", {kTextParameter}, 1, ToSha256},
      {"split", {kTextParameter, kSeparatorParameter}, 2, Split},
      {"startOfDay", {kMomentParameter, kZoneParameter}, 1, StartOfDay},
      {"substring",
       {kTextParameter, {"start", Role::kNumber}, {"end", Role::kNumber}},
       2,
       Substring},
      {"times", {{"number", Role::kNumber}, {"factor", Role::kNumber}}, 2, Times},
      {"toJson", {kValueParameter}, 1, ToJson},
      {"toNumber", {kTextParameter}, 1, ToNumber},
      {"trim", {kTextParameter}, 1, TrimBlanks},
      {"upper", {kTextParameter}, 1, Upper},
      {"urlEncode", {kTextParameter}, 1, UrlEncode},
  };
}

}  // namespace

std::span<const Function> Functions() {
  static const auto functions = MakeFunctions();
  return functions;
}

std::string Function::Signature() const {
  std::string text = fmt::format("{}(", name);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i >= required) text += '[';
    if (i > 0) text += ", ";
    text += parameters[i].name;
  }
  text.append(parameters.size() - required, ']');
  if (variadic) text += ", …";
  return text += ')';
}

// --- Arguments -------------------------------------------------------------------------------

Result<Prepared> Prepare(const Parameter& parameter, const Value& value) {
  const auto* text = value.AsString();
  const auto wrong = [&](std::string_view needed) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("the {} has to be {}, not a {}",
                                                      parameter.name, needed, value.TypeName()));
  };
  switch (parameter.role) {
    case Role::kValue:
    case Role::kText:
      break;
    case Role::kNumber:
      if (!IsNumber(value)) return wrong("a number");
      break;
    case Role::kList:
      return wrong("a list");
    case Role::kMoment:
      if (text == nullptr) return wrong("a moment (an RFC 3339 text)");
      PATRA_TRY(ParseRfc3339(*text));
      break;
    case Role::kUnit:
      if (text == nullptr) return wrong("a unit of time in quotes");
      PATRA_TRY(FloorToUnit(Instant{}, *text, TimeZone::Utc()));
      break;
    case Role::kPattern:
      if (text == nullptr) return wrong("a date pattern in quotes");
      return PATRA_TRY(DatePattern::Compile(*text));
    case Role::kZone:
      if (text == nullptr) return wrong("the name of a time zone in quotes");
      return PATRA_TRY(TimeZone::Find(*text));
    case Role::kDurationOrNumber:
      if (IsNumber(value)) break;
      if (text == nullptr) return wrong("a number, or a duration in quotes, as '1h'");
      return PATRA_TRY(ParseDuration(*text));
    case Role::kDuration:
      if (text == nullptr) return wrong("a duration in quotes, as '1h'");
      return PATRA_TRY(ParseDuration(*text));
    case Role::kPath:
      if (text == nullptr) return wrong("a JSONPath in quotes");
      return PATRA_TRY(JsonPath::Compile(*text));
  }
  return Prepared();
}

std::unexpected<Error> Arguments::Wrong(std::size_t index, std::string_view needed) const {
  const auto& value = (*this)[index];
  const auto article = value.AsArray() || value.AsObject() ? "an" : "a";
  return Fail(
      ErrorCode::kInvalidInput,
      fmt::format("the {} has to be {}{}", function_.ParameterAt(index).name, needed,
                  value.AsString() ? "" : fmt::format(", not {} {}", article, value.TypeName())),
      {}, function_.Signature());
}

Result<std::string> Arguments::Text(std::size_t index) const {
  auto text = ScalarText((*this)[index]);
  if (!text) return Wrong(index, "a text");
  return text;
}

Result<std::int64_t> Arguments::Integer(std::size_t index) const {
  const auto& value = (*this)[index];
  if (IsNumber(value)) {
    if (const auto whole = NumberOf(value).AsInteger()) return *whole;
  }
  return Wrong(index, "a whole number");
}

Result<const Value::Array*> Arguments::List(std::size_t index) const {
  if (const auto* items = (*this)[index].AsArray()) return items;
  return Wrong(index, "a list");
}

Result<Instant> Arguments::Moment(std::size_t index) const {
  const auto* text = (*this)[index].AsString();
  if (text != nullptr) return ParseRfc3339(*text);
  auto wrong = Wrong(index, "a moment (an RFC 3339 text)");
  if (IsNumber((*this)[index])) wrong.error().hint = "read it first, as | parseDateTime('epoch_s')";
  return wrong;
}

template <typename T>
Result<const T*> Arguments::Usable(std::size_t index) {
  auto& argument = arguments_[index];
  if (argument.compiled != nullptr) {
    if (const auto* compiled = std::get_if<T>(argument.compiled)) return compiled;
  }
  const auto role = std::is_same_v<T, DatePattern> ? Role::kPattern
                    : std::is_same_v<T, TimeZone>  ? Role::kZone
                    : std::is_same_v<T, Duration>  ? Role::kDuration
                                                   : Role::kPath;
  argument.made =
      PATRA_TRY(Prepare({function_.ParameterAt(index).name, role}, argument.operand.value()));
  return &std::get<T>(argument.made);
}

Result<const DatePattern*> Arguments::Pattern(std::size_t index) {
  return Usable<DatePattern>(index);
}

Result<TimeZone> Arguments::Zone(std::size_t index) {
  if (index >= size()) return TimeZone::Utc();
  return *PATRA_TRY(Usable<TimeZone>(index));
}

Result<Duration> Arguments::Length(std::size_t index) {
  return *PATRA_TRY(Usable<Duration>(index));
}

Result<const JsonPath*> Arguments::Json(std::size_t index) { return Usable<JsonPath>(index); }

}  // namespace patra::expression
