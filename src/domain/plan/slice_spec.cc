#include "domain/plan/slice_spec.h"

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {
namespace {

std::string_view Code(SliceDimension dimension) {
  switch (dimension) {
    case SliceDimension::kTime:
      return "TIME";
    case SliceDimension::kPage:
      return "PAGE";
    case SliceDimension::kId:
      break;
  }
  return "ID";
}

Value Bounds(const SliceSpec& spec) {
  Value::Object bounds{{"time", Value::Object{{"from", FormatRfc3339(spec.window.from())},
                                              {"to", FormatRfc3339(spec.window.to())}}}};
  if (spec.pages) {
    bounds["page"] = Value::Object{{"fromPage", spec.pages->from}, {"toPage", spec.pages->to}};
  }
  if (spec.ids) {
    Value::Object ids{{"from", spec.ids->from}, {"to", spec.ids->to}};
    if (spec.ids->hash_bucket) ids["hashBucket"] = std::int64_t{*spec.ids->hash_bucket};
    bounds["id"] = std::move(ids);
  }
  if (!spec.split.empty()) {
    Value::Array split;
    for (const auto& part : spec.split) {
      split.push_back(Value::Object{
          {"name", part.name}, {"from", part.from}, {"to", part.to}, {"value", part.value}});
    }
    bounds["split"] = std::move(split);
  }
  return bounds;
}

// Reads members of a stored object; the first problem is kept.
class Reading {
 public:
  explicit Reading(const Value& value) : value_(value) {}

  std::string Text(std::string_view name) const {
    const auto* member = value_.Find(name);
    const auto* text = member == nullptr ? nullptr : member->AsString();
    return text == nullptr ? std::string() : *text;
  }
  std::optional<std::int64_t> Number(std::string_view name) const {
    const auto* member = value_.Find(name);
    const auto* number = member == nullptr ? nullptr : member->AsInteger();
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

 private:
  const Value& value_;
};

Result<Window> WindowOf(const Value& bounds) {
  const auto* time = bounds.Find("time");
  if (time == nullptr)
    return Fail(ErrorCode::kCorruption, "a slice without a stretch of time", {}, {});
  const Reading reading(*time);
  const auto from = PATRA_TRY(ParseRfc3339(reading.Text("from")));
  const auto to = PATRA_TRY(ParseRfc3339(reading.Text("to")));
  return Window::Between(from, to);
}

Result<SliceDimension> DimensionOf(std::string_view code) {
  using enum SliceDimension;
  for (const auto dimension : {kTime, kPage, kId}) {
    if (Code(dimension) == code) return dimension;
  }
  return Fail(ErrorCode::kCorruption, fmt::format("'{}' is no dimension of a slice", code));
}

}  // namespace

Value SliceSpec::Identity() const {
  return Value::Object{{"dimension", Code(dimension)}, {"bounds", Bounds(*this)}};
}

Value SliceSpec::ToValue() const {
  Value::Object value{{"dimension", Code(dimension)}, {"bounds", Bounds(*this)}};
  Value::Object limits;
  if (budget.requests_max) limits["maxRequests"] = *budget.requests_max;
  if (budget.duration_max) {
    limits["maxDurationSec"] =
        std::chrono::ceil<std::chrono::seconds>(*budget.duration_max).count();
  }
  if (!limits.empty()) value["budget"] = std::move(limits);
  Value::Object telemetry;
  if (expected_records) telemetry["totalEstimated"] = *expected_records;
  if (expected_requests) telemetry["expectedRequests"] = *expected_requests;
  if (!comment.empty()) telemetry["comment"] = comment;
  if (!telemetry.empty()) value["telemetry"] = std::move(telemetry);
  return value;
}

Result<SliceSpec> SliceSpec::FromValue(const Value& value) {
  const auto* bounds = value.Find("bounds");
  if (bounds == nullptr) return Fail(ErrorCode::kCorruption, "a slice without bounds");
  SliceSpec spec{.dimension = PATRA_TRY(DimensionOf(Reading(value).Text("dimension"))),
                 .window = PATRA_TRY(WindowOf(*bounds))};
  if (const auto* pages = bounds->Find("page")) {
    const Reading reading(*pages);
    spec.pages =
        PageBounds{reading.Number("fromPage").value_or(0), reading.Number("toPage").value_or(0)};
  }
  if (const auto* ids = bounds->Find("id")) {
    const Reading reading(*ids);
    spec.ids = IdBounds{.from = reading.Text("from"), .to = reading.Text("to")};
    if (const auto bucket = reading.Number("hashBucket"))
      spec.ids->hash_bucket = static_cast<int>(*bucket);
  }
  if (const auto* split = bounds->Find("split"); split != nullptr && split->AsArray() != nullptr) {
    for (const auto& part : *split->AsArray()) {
      const Reading reading(part);
      spec.split.push_back(
          {reading.Text("name"), reading.Text("from"), reading.Text("to"), reading.Text("value")});
    }
  }
  if (const auto* budget = value.Find("budget")) {
    const Reading reading(*budget);
    spec.budget.requests_max = reading.Number("maxRequests");
    if (const auto seconds = reading.Number("maxDurationSec"))
      spec.budget.duration_max = std::chrono::seconds(*seconds);
  }
  if (const auto* telemetry = value.Find("telemetry")) {
    const Reading reading(*telemetry);
    spec.expected_records = reading.Number("totalEstimated");
    spec.expected_requests = reading.Number("expectedRequests");
    spec.comment = reading.Text("comment");
  }
  return spec;
}

}  // namespace patra::domain
