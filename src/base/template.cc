// A template is parsed into pieces of text and expression trees, with constant patterns, zones and
// paths compiled on the way; rendering walks the trees. The parser bounds their depth and the
// number of calls, the functions bound what they make, so rendering needs no further budget.
#include "base/template.h"

#include <fmt/format.h>

#include "base/json_pointer.h"
#include "base/placement.h"
#include "base/template_expression.h"
#include "base/template_parser.h"

namespace patra {
namespace {

using expression::Arguments;
using expression::Call;
using expression::Constant;
using expression::Expression;
using expression::Operand;
using expression::Path;

const Value* Follow(const Path& path, const Value& context) {
  const Value* at = &context;
  for (const auto& step : path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      at = at->Find(*name);
    } else {
      const auto* items = at->AsArray();
      auto index = std::get<std::int64_t>(step);
      const auto size = items == nullptr ? 0 : static_cast<std::int64_t>(items->size());
      if (index < 0) index += size;
      at = index >= 0 && index < size ? &(*items)[static_cast<std::size_t>(index)] : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

class Evaluation {
 public:
  Evaluation(std::string_view text, const Value& context, const RenderOptions& options)
      : text_(text), context_(context), options_(options) {}

  Result<Operand> Evaluate(const Expression& expression) const {
    if (const auto* constant = std::get_if<Constant>(&expression.what)) {
      return Operand::Borrowed(constant->value);
    }
    if (const auto* path = std::get_if<Path>(&expression.what)) {
      const auto* value = Follow(*path, context_);
      return value == nullptr ? Operand(Value()) : Operand::Borrowed(*value);
    }
    return EvaluateCall(std::get<Call>(expression.what), expression.offset);
  }

 private:
  Result<Operand> EvaluateCall(const Call& call, std::size_t offset) const {
    std::vector<Arguments::Argument> arguments;
    arguments.reserve(call.arguments.size());
    bool has_null = false;
    for (const auto& argument : call.arguments) {
      const auto* constant = std::get_if<Constant>(&argument.what);
      auto operand = PATRA_TRY(Evaluate(argument));
      has_null |= operand.value().is_null();
      arguments.push_back(
          {std::move(operand), constant == nullptr ? nullptr : &constant->prepared});
    }
    if (has_null && !call.function->takes_null) return Operand(Value());

    Arguments given(*call.function, std::move(arguments), options_);
    auto result = call.function->call(given);
    if (result) return WithinLimits(*std::move(result), offset);
    auto error = std::move(result).error().While(call.function->name);
    error.place = expression::PlaceInTemplate(text_, offset);
    return std::unexpected(std::move(error));
  }

  Result<Operand> WithinLimits(Operand operand, std::size_t offset) const {
    const auto* made = operand.made();
    const auto* text = made == nullptr ? nullptr : made->AsString();
    if (text != nullptr && text->size() > options_.limits.bytes_max) {
      return Fail(
          ErrorCode::kLimit,
          fmt::format("the text is longer than the limit of {} bytes", options_.limits.bytes_max),
          expression::PlaceInTemplate(text_, offset));
    }
    return operand;
  }

  std::string_view text_;
  const Value& context_;
  const RenderOptions& options_;
};

}  // namespace

struct Template::Compiled {
  std::string text;
  NullPolicy null_policy;
  expression::ParsedTemplate parsed;

  bool is_one_placeholder() const {
    return parsed.pieces.size() == 1 && std::holds_alternative<Expression>(parsed.pieces.front());
  }

  Error ErrorAt(const Expression& expression, Error error) const {
    error.place = expression::PlaceInTemplate(text, expression.offset);
    return error;
  }

  Error MissingAt(const Expression& expression) const {
    return ErrorAt(expression, {ErrorCode::kInvalidInput,
                                "this placeholder has no value",
                                {},
                                "give it one, as | default('x'), or let the template omit it"});
  }
};

Result<Template> Template::Compile(std::string_view text, const TemplateOptions& options) {
  auto parsed = PATRA_TRY(expression::ParseTemplate(text, options));
  return Template(std::make_shared<const Compiled>(
      Compiled{std::string(text), options.null_policy, std::move(parsed)}));
}

const std::string& Template::text() const { return compiled_->text; }

bool Template::is_constant() const {
  const auto& pieces = compiled_->parsed.pieces;
  return pieces.empty() ||
         (pieces.size() == 1 && std::holds_alternative<std::string>(pieces.front()));
}

const std::vector<std::string>& Template::paths() const { return compiled_->parsed.paths; }

Result<Rendered> Template::Render(const Value& context, const RenderOptions& options) const {
  const auto& compiled = *compiled_;
  const Evaluation evaluation(compiled.text, context, options);
  const auto place = options.place != nullptr ? options.place : ScalarText;

  std::string text;
  for (const auto& piece : compiled.parsed.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      text += *literal;
    } else {
      const auto& expression = std::get<Expression>(piece);
      auto operand = PATRA_TRY(evaluation.Evaluate(expression));
      if (operand.value().is_null()) {
        if (compiled.null_policy == NullPolicy::kOmit) return Rendered();
        if (compiled.null_policy == NullPolicy::kError) {
          return std::unexpected(compiled.MissingAt(expression));
        }
        continue;
      }
      if (compiled.is_one_placeholder() && options.place == nullptr) {
        return Rendered(std::move(operand).Take());
      }
      auto placed = place(operand.value());
      if (!placed) return std::unexpected(compiled.ErrorAt(expression, std::move(placed).error()));
      text += *placed;
    }
    if (text.size() > options.limits.bytes_max) {
      return Fail(ErrorCode::kLimit,
                  fmt::format("the rendered text is longer than the limit of {} bytes",
                              options.limits.bytes_max));
    }
  }
  return Rendered(Value(std::move(text)));
}

// --- Values full of templates ----------------------------------------------------------------

Result<ValueTemplate> ValueTemplate::Compile(const Value& value, const TemplateOptions& options) {
  return CompileAt(value, options, "", 0);
}

Result<ValueTemplate> ValueTemplate::CompileAt(const Value& value, const TemplateOptions& options,
                                               const std::string& pointer, int depth) {
  if (depth > JsonLimits{}.depth_max) {
    return Fail(ErrorCode::kLimit,
                fmt::format("the value is nested deeper than {} levels", JsonLimits{}.depth_max),
                {.pointer = pointer});
  }
  if (const auto* text = value.AsString()) {
    auto compiled = Template::Compile(*text, options);
    if (compiled) return ValueTemplate(*std::move(compiled));
    auto error = std::move(compiled).error();
    error.place.pointer = pointer;
    return std::unexpected(std::move(error));
  }
  if (const auto* items = value.AsArray()) {
    Items compiled;
    for (std::size_t i = 0; i < items->size(); ++i) {
      compiled.push_back(
          PATRA_TRY(CompileAt((*items)[i], options, fmt::format("{}/{}", pointer, i), depth + 1)));
    }
    return ValueTemplate(std::move(compiled));
  }
  if (const auto* members = value.AsObject()) {
    Members compiled;
    for (const auto& [name, member] : *members) {
      compiled.emplace(
          name, PATRA_TRY(CompileAt(member, options, ChildPointer(pointer, name), depth + 1)));
    }
    return ValueTemplate(std::move(compiled));
  }
  return ValueTemplate(value);
}

Result<Rendered> ValueTemplate::Render(const Value& context, const RenderOptions& options) const {
  return RenderAt(context, options, "");
}

Result<Rendered> ValueTemplate::RenderAt(const Value& context, const RenderOptions& options,
                                         const std::string& pointer) const {
  if (const auto* text = std::get_if<Template>(&content_)) {
    auto rendered = text->Render(context, options);
    if (!rendered) rendered.error().place.pointer = pointer;
    return rendered;
  }
  if (const auto* items = std::get_if<Items>(&content_)) {
    Value::Array values;
    for (std::size_t i = 0; i < items->size(); ++i) {
      auto item =
          PATRA_TRY((*items)[i].RenderAt(context, options, fmt::format("{}/{}", pointer, i)));
      if (item) values.push_back(*std::move(item));
    }
    return Rendered(Value(std::move(values)));
  }
  if (const auto* members = std::get_if<Members>(&content_)) {
    Value::Object values;
    for (const auto& [name, member] : *members) {
      auto value = PATRA_TRY(member.RenderAt(context, options, ChildPointer(pointer, name)));
      if (value) values.emplace(name, *std::move(value));
    }
    return Rendered(Value(std::move(values)));
  }
  return Rendered(std::get<Value>(content_));
}

}  // namespace patra
