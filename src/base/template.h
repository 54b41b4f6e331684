// Texts with placeholders, rendered for every request:
//
//   from-index-date:${window.from | formatDateTime('iso_seconds')},rows:${page.size}
//
// A placeholder is ${expression}; $${ is a literal ${. An expression is a path into the context
// (window.from, ids[0], ids[-1] the last, a['odd name']), a literal ('text' or "text" with \\ \' \"
// \n \r \t, a number, true, false, null) or a call; a pipe hands its left side to the function on
// the right as first argument, so x | f(1) is f(x, 1). Nothing but these functions can be called:
//
//   now()                                     the moment given to Render
//   formatDateTime(moment, pattern[, zone])   base/date_pattern.h
//   parseDateTime(text, pattern[, zone])      the moment; a number for epoch_s and epoch_ms
//   plus, minus(moment, duration)             base/duration.h: ${window.to | minus('1s')}
//   floorTo(moment, unit[, zone])             second, minute, hour, day, week (from Monday), month,
//                                             year, or a duration, counted from 1970
//   startOfDay(moment[, zone])   epochSeconds(moment)   epochMillis(moment)
//   plus, minus, times(number, number)   toNumber(text)
//   coalesce(value, …)               the first that is not null
//   default(value, otherwise)   eq(a, b)   if(condition, then[, otherwise])
//   concat(text, …)   join(list, separator)   split(text, separator)   replace(text, from, to)
//   lower(text)   upper(text)        of ASCII letters
//   trim(text)   padLeft(text, width[, fill])
//   substring(text, start[, end])    in characters; negative ones count from the end
//   length(value)                    characters, items or members
//   first(list)   last(list)   urlEncode(text)   base64(text)   sha256(text)   toJson(value)
//   jsonPath(value, path)            RFC 9535; a path of names and indexes gives the value or null,
//                                    any other path a list
//
// Moments are RFC 3339 texts, in the context and between functions; numbers are not taken for
// moments, since they may count seconds or milliseconds. A function gives null if an argument is
// null, except coalesce, default, eq, if. Patterns, zones, durations and paths that are constants
// are checked and compiled once, with the template. Rendering does no I/O and reads no clock, and
// its work is bounded by the size of the template and the limits.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra {

// What becomes of a text when one of its placeholders is null, or is not in the context.
enum class NullPolicy {
  kOmit,   // there is no text: the parameter is left out
  kEmpty,  // the placeholder is the empty text
  kError,
};

struct TemplateLimits {
  std::size_t bytes_max = 16u << 10;
  int depth_max = 16;   // calls inside the arguments of calls
  int calls_max = 100;  // functions in the whole template
};

struct TemplateOptions {
  NullPolicy null_policy = NullPolicy::kOmit;
  // The names that paths may begin with; any, if not given.
  std::optional<std::vector<std::string>> roots{};
  TemplateLimits limits{};
};

struct RenderLimits {
  std::size_t bytes_max = 1u << 20;        // of the result, and of every text on the way to it
  std::size_t list_items_max = 10'000;     // of every list that a function makes
  std::size_t path_steps_max = 1'000'000;  // of every jsonPath
};

struct RenderOptions {
  Instant now;
  RenderLimits limits{};
  // Makes the value of each placeholder fit for its place, as PathSegment does (base/placement.h);
  // the text around them stays. Without it, values are put in as ScalarText.
  Result<std::string> (*place)(const Value& value) = nullptr;
};

// Nothing means: omitted.
using Rendered = std::optional<Value>;

// Immutable: copies share it, threads may use it at the same time.
class Template {
 public:
  // The error's place has the column (and the line, if there are several), its hint says what was
  // expected there.
  static Result<Template> Compile(std::string_view text, const TemplateOptions& options = {});

  const std::string& text() const;

  // Whether it has no placeholder.
  bool is_constant() const;

  // The paths into the context that it reads, each once: "window.from", "ids[0]".
  const std::vector<std::string>& paths() const;

  // A template that is one placeholder and nothing else keeps the type of its value (unless `place`
  // makes it a text); any other gives a string. REQUIRES: now is within [kInstantMin, kInstantMax]
  Result<Rendered> Render(const Value& context, const RenderOptions& options) const;

 private:
  struct Compiled;
  explicit Template(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;  // shared by the copies of this template
};

// A JSON value in which every string is a template, for request bodies: what is rendered stays a
// value in its place and can never become syntax. Immutable.
class ValueTemplate {
 public:
  // The error's place has the JSON pointer to the string as well.
  static Result<ValueTemplate> Compile(const Value& value, const TemplateOptions& options = {});

  // Omitted members and items are left out of their object or array.
  Result<Rendered> Render(const Value& context, const RenderOptions& options) const;

 private:
  using Items = std::vector<ValueTemplate>;
  using Members = std::map<std::string, ValueTemplate, std::less<>>;

  template <typename Content>
  explicit ValueTemplate(Content content) : content_(std::move(content)) {}

  static Result<ValueTemplate> CompileAt(const Value& value, const TemplateOptions& options,
                                         const std::string& pointer, int depth);
  Result<Rendered> RenderAt(const Value& context, const RenderOptions& options,
                            const std::string& pointer) const;

  std::variant<Value, Template, Items, Members> content_;
};

}  // namespace patra
