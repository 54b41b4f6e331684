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

template <typename T>
Value OrNull(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

Value Bounds(const SliceSpec& spec) {
  Value::Object bounds{{"time", Value::Object{{"from", FormatRfc3339(spec.window.from())},
                                              {"to", FormatRfc3339(spec.window.to())}}}};
  if (spec.pages) {
    const bool is_open = spec.pages->to == kNoLastPage;
    bounds["page"] = Value::Object{{"fromPage", spec.pages->from},
                                   {"toPage", is_open ? Value() : Value(spec.pages->to)},
                                   {"pageSize", spec.pages->size},
                                   {"base1", spec.pages->base1}};
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

Value PhaseValue(const SlicePhase& phase) {
  Value::Object value{{"twoPhase", phase.two_phase}};
  if (phase.id_batch_size) value["idBatchSize"] = *phase.id_batch_size;
  return value;
}

Value Pagination(const SlicePagination& pagination) {
  return Value::Object{{"type", CodeOf(pagination.style)},
                       {"initial", Value::Object{{"offset", OrNull(pagination.offset)},
                                                 {"page", OrNull(pagination.page)},
                                                 {"token", OrNull(pagination.token)},
                                                 {"url", Value()}}}};
}

Value Budget(const SliceBudget& budget) {
  std::optional<std::int64_t> seconds;
  if (budget.duration_max)
    seconds = std::chrono::ceil<std::chrono::seconds>(*budget.duration_max).count();
  return Value::Object{{"maxRequests", OrNull(budget.requests_max)},
                       {"maxRecords", OrNull(budget.records_max)},
                       {"maxDurationSec", OrNull(seconds)},
                       {"pauseSec", std::chrono::ceil<std::chrono::seconds>(budget.pause).count()},
                       {"priority", OrNull(budget.priority)}};
}

Value Telemetry(const SliceSpec& spec) {
  Value::Object telemetry;
  if (spec.expected_records) telemetry["totalEstimated"] = *spec.expected_records;
  if (spec.expected_requests) telemetry["expectedRequests"] = *spec.expected_requests;
  if (!spec.comment.empty()) telemetry["comment"] = spec.comment;
  if (spec.counts_beyond_reach) telemetry["countsBeyondReach"] = true;
  if (spec.total_of_whole) telemetry["totalOfWhole"] = *spec.total_of_whole;
  if (spec.is_of_doubted) telemetry["ofDoubted"] = true;
  if (spec.cut_off_at) telemetry["cutOffAt"] = *spec.cut_off_at;
  if (spec.answered_for) telemetry["answeredForSec"] = *spec.answered_for / std::chrono::seconds(1);
  return telemetry;
}

Value Hint(const BudgetHint& hint) {
  return Value::Object{
      {"permits", hint.permits},
      {"concurrency", hint.concurrency},
      {"horizonSec", std::chrono::ceil<std::chrono::seconds>(hint.horizon).count()}};
}

// Reads members of a stored object; what is absent or of another type is not there.
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
  std::optional<std::string> OptionalText(std::string_view name) const {
    const auto* member = value_.Find(name);
    const auto* text = member == nullptr ? nullptr : member->AsString();
    return text == nullptr ? std::nullopt : std::optional(*text);
  }
  bool Flag(std::string_view name, bool fallback) const {
    const auto* member = value_.Find(name);
    const auto* flag = member == nullptr ? nullptr : member->AsBool();
    return flag == nullptr ? fallback : *flag;
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

void ReadBounds(const Value& bounds, SliceSpec& spec) {
  if (const auto* pages = bounds.Find("page")) {
    const Reading reading(*pages);
    spec.pages = PageBounds{.from = reading.Number("fromPage").value_or(0),
                            .to = reading.Number("toPage").value_or(kNoLastPage),
                            .size = reading.Number("pageSize").value_or(0),
                            .base1 = reading.Flag("base1", true)};
  }
  if (const auto* ids = bounds.Find("id")) {
    const Reading reading(*ids);
    spec.ids = IdBounds{.from = reading.Text("from"), .to = reading.Text("to")};
    if (const auto bucket = reading.Number("hashBucket"))
      spec.ids->hash_bucket = static_cast<int>(*bucket);
  }
  if (const auto* split = bounds.Find("split"); split != nullptr && split->AsArray() != nullptr) {
    for (const auto& part : *split->AsArray()) {
      const Reading reading(part);
      spec.split.push_back(
          {reading.Text("name"), reading.Text("from"), reading.Text("to"), reading.Text("value")});
    }
  }
}

Result<void> ReadPagination(const Value& value, SliceSpec& spec) {
  const auto* pagination = value.Find("pagination");
  if (pagination == nullptr) return {};
  const auto style = FindCode<PagingStyle>(Reading(*pagination).Text("type"));
  if (!style) return Fail(ErrorCode::kCorruption, "a slice with an unknown way of paging");
  spec.pagination.style = *style;
  if (const auto* initial = pagination->Find("initial")) {
    const Reading reading(*initial);
    spec.pagination.offset = reading.Number("offset");
    spec.pagination.page = reading.Number("page");
    spec.pagination.token = reading.OptionalText("token");
  }
  return {};
}

Result<void> ReadWindow(const Value& value, SliceSpec& spec) {
  const auto* window = value.Find("window");
  if (window == nullptr) return {};
  const Reading reading(*window);
  spec.watermark_key = reading.OptionalText("watermarkKey");
  if (const auto lag = reading.OptionalText("safetyLag"))
    spec.safety_lag = PATRA_TRY(ParseDuration(*lag));
  return {};
}

void ReadExpectations(const Value& value, SliceSpec& spec) {
  if (const auto* budget = value.Find("budget")) {
    const Reading reading(*budget);
    spec.budget.requests_max = reading.Number("maxRequests");
    spec.budget.records_max = reading.Number("maxRecords");
    if (const auto pause = reading.Number("pauseSec"))
      spec.budget.pause = std::chrono::seconds(*pause);
    spec.budget.priority = reading.Number("priority");
    if (const auto seconds = reading.Number("maxDurationSec"))
      spec.budget.duration_max = std::chrono::seconds(*seconds);
  }
  if (const auto* telemetry = value.Find("telemetry")) {
    const Reading reading(*telemetry);
    spec.expected_records = reading.Number("totalEstimated");
    spec.expected_requests = reading.Number("expectedRequests");
    spec.comment = reading.Text("comment");
    spec.counts_beyond_reach = telemetry->Find("countsBeyondReach") != nullptr;
    spec.total_of_whole = reading.Number("totalOfWhole");
    spec.is_of_doubted = telemetry->Find("ofDoubted") != nullptr;
    spec.cut_off_at = reading.Number("cutOffAt");
    if (const auto seconds = reading.Number("answeredForSec"))
      spec.answered_for = std::chrono::seconds(*seconds);
  }
  if (const auto* hint = value.Find("budgetHint")) {
    const Reading reading(*hint);
    spec.budget_hint =
        BudgetHint{.permits = reading.Number("permits").value_or(0),
                   .concurrency = reading.Number("concurrency").value_or(1),
                   .horizon = std::chrono::seconds(reading.Number("horizonSec").value_or(0))};
  }
}

}  // namespace

std::optional<std::string> WhatIsUsedUp(const SliceBudget& budget, const BudgetUse& use) {
  if (budget.requests_max && use.requests >= *budget.requests_max)
    return fmt::format("{} requests", *budget.requests_max);
  if (budget.records_max && use.records >= *budget.records_max)
    return fmt::format("{} records", *budget.records_max);
  if (budget.duration_max && use.elapsed >= *budget.duration_max)
    return FormatDuration(*budget.duration_max);
  return std::nullopt;
}

Value SliceSpec::Identity() const {
  return Value::Object{{"dimension", Code(dimension)},
                       {"bounds", Bounds(*this)},
                       {"phase", PhaseValue(phase)},
                       {"pagination", Pagination(pagination)}};
}

Value SliceSpec::ToValue() const {
  auto value = Identity();
  auto& members = *value.AsObject();
  Value::Object of_window;
  if (safety_lag) of_window["safetyLag"] = FormatIsoDuration(*safety_lag);
  if (watermark_key) of_window["watermarkKey"] = *watermark_key;
  if (!of_window.empty()) members["window"] = std::move(of_window);
  members["budget"] = Budget(budget);
  if (budget_hint) members["budgetHint"] = Hint(*budget_hint);
  if (auto telemetry = Telemetry(*this); !telemetry.AsObject()->empty())
    members["telemetry"] = std::move(telemetry);
  return value;
}

Result<SliceSpec> SliceSpec::FromValue(const Value& value) {
  const auto* bounds = value.Find("bounds");
  if (bounds == nullptr) return Fail(ErrorCode::kCorruption, "a slice without bounds");
  SliceSpec spec{.dimension = PATRA_TRY(DimensionOf(Reading(value).Text("dimension"))),
                 .window = PATRA_TRY(WindowOf(*bounds))};
  ReadBounds(*bounds, spec);
  if (const auto* phase = value.Find("phase")) {
    const Reading reading(*phase);
    spec.phase = {.two_phase = reading.Flag("twoPhase", false),
                  .id_batch_size = reading.Number("idBatchSize")};
  }
  PATRA_TRY(ReadPagination(value, spec));
  PATRA_TRY(ReadWindow(value, spec));
  ReadExpectations(value, spec);
  return spec;
}

}  // namespace patra::domain
