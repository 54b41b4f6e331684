// What a placeholder is compiled into, and the functions it can call. Only for template*.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/date_pattern.h"
#include "base/json_path.h"
#include "base/result.h"
#include "base/template.h"
#include "base/time.h"
#include "base/time_zone.h"
#include "base/value.h"

namespace patra::expression {

// What an argument has to be. Constants are checked, and the last five compiled, with the template.
enum class Role : std::uint8_t {
  kValue,
  kText,  // a string, number or boolean
  kNumber,
  kList,
  kMoment,
  kUnit,  // of floorTo
  kPattern,
  kZone,
  kDuration,
  kDurationOrNumber,
  kPath,
};

struct Parameter {
  std::string_view name;
  Role role;
};

class Arguments;
class Operand;

struct Function {
  std::string_view name;
  std::vector<Parameter> parameters;
  std::size_t required;
  Result<Operand> (*call)(Arguments& arguments);
  bool takes_null = false;  // otherwise a null argument makes the result null
  bool variadic = false;    // the last parameter may be repeated

  // "formatDateTime(moment, pattern[, zone])"
  std::string Signature() const;

  const Parameter& ParameterAt(std::size_t index) const {
    return parameters[std::min(index, parameters.size() - 1)];
  }
};

// All functions that exist.
std::span<const Function> Functions();

// A constant argument in the form in which its function uses it.
using Prepared = std::variant<std::monostate, DatePattern, TimeZone, Duration, JsonPath>;

// Nothing for roles that need no preparing. The error's place is that inside the text.
Result<Prepared> Prepare(const Parameter& parameter, const Value& value);

using PathStep = std::variant<std::string, std::int64_t>;

struct Constant {
  Value value;
  Prepared prepared;
};

struct Path {
  std::vector<PathStep> steps;  // the first is a name
};

struct Expression;

struct Call {
  const Function* function;
  std::vector<Expression> arguments;
};

struct Expression {
  std::size_t offset = 0;  // in the template's text
  std::variant<Constant, Path, Call> what;
};

// A value that is either made on the way or looked up in the context or the template.
class Operand {
 public:
  Operand(Value made) : made_(std::move(made)) {}
  static Operand Borrowed(const Value& value) {
    Operand operand{Value()};
    operand.borrowed_ = &value;
    return operand;
  }

  const Value& value() const { return borrowed_ != nullptr ? *borrowed_ : made_; }
  const Value* made() const { return borrowed_ != nullptr ? nullptr : &made_; }
  Value Take() && {
    if (borrowed_ != nullptr) return *borrowed_;
    return std::move(made_);
  }

 private:
  Value made_;
  const Value* borrowed_ = nullptr;
};

// The arguments of one call, with what they have to be.
class Arguments {
 public:
  struct Argument {
    Operand operand;
    const Prepared* compiled;  // with the template, if it is a constant
    Prepared made{};           // otherwise, once it is needed
  };

  Arguments(const Function& function, std::vector<Argument> arguments, const RenderOptions& options)
      : function_(function), arguments_(std::move(arguments)), options_(options) {}

  std::size_t size() const { return arguments_.size(); }
  const Value& operator[](std::size_t index) const { return arguments_[index].operand.value(); }
  Operand Take(std::size_t index) { return std::move(arguments_[index].operand); }

  const RenderOptions& options() const { return options_; }
  const RenderLimits& limits() const { return options_.limits; }

  // The error names the parameter and what it has to be.
  Result<std::string> Text(std::size_t index) const;
  Result<std::int64_t> Integer(std::size_t index) const;
  Result<const Value::Array*> List(std::size_t index) const;
  Result<Instant> Moment(std::size_t index) const;
  Result<const DatePattern*> Pattern(std::size_t index);
  Result<TimeZone> Zone(std::size_t index);  // UTC by default
  Result<Duration> Length(std::size_t index);
  Result<const JsonPath*> Json(std::size_t index);

  std::unexpected<Error> Wrong(std::size_t index, std::string_view needed) const;

 private:
  // Looks into the argument, so it has to live as long as the result.
  template <typename T>
  Result<const T*> Usable(std::size_t index);

  const Function& function_;
  std::vector<Argument> arguments_;
  const RenderOptions& options_;
};

}  // namespace patra::expression
