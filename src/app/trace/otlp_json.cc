#include "app/trace/otlp_json.h"

#include <fmt/format.h>

#include "base/value.h"

namespace patra::app {
namespace {

constexpr int kInternal = 1;
constexpr int kClient = 3;
constexpr int kError = 2;

Value AttributeOf(const std::string& name, const std::string& text) {
  return Value::Object{{"key", name}, {"value", Value::Object{{"stringValue", text}}}};
}

// 64 bits are more than a number of JSON holds.
std::string NanosOf(Instant time) {
  return fmt::to_string(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

Value ValueOf(const Span& span) {
  Value::Array attributes;
  for (const auto& [name, text] : span.attributes) attributes.push_back(AttributeOf(name, text));
  Value::Object value{{"traceId", span.trace},
                      {"spanId", span.id},
                      {"name", span.name},
                      {"kind", span.kind == Span::Kind::kClient ? kClient : kInternal},
                      {"startTimeUnixNano", NanosOf(span.from)},
                      {"endTimeUnixNano", NanosOf(span.to)},
                      {"attributes", std::move(attributes)}};
  if (!span.parent.empty()) value["parentSpanId"] = span.parent;
  if (span.is_failure) value["status"] = Value::Object{{"code", kError}};
  return value;
}

}  // namespace

std::string OtlpJson(std::span<const Span> spans, const std::string& process) {
  Value::Array values;
  for (const auto& span : spans) values.push_back(ValueOf(span));
  Value::Object scope{{"scope", Value::Object{{"name", "patra"}}}, {"spans", std::move(values)}};
  Value::Object resource{{"attributes", Value::Array{AttributeOf("service.name", "patra"),
                                                     AttributeOf("service.instance.id", process)}}};
  return PrintJson(
      Value::Object{{"resourceSpans",
                     Value::Array{Value::Object{{"resource", std::move(resource)},
                                                {"scopeSpans", Value::Array{std::move(scope)}}}}}});
}

}  // namespace patra::app
