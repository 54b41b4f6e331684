#include "app/plan/plan_remarks.h"

#include <algorithm>

#include "base/duration.h"
#include "domain/spec/enumerator.h"

namespace patra::app {
namespace {

using domain::SpecSnapshot;
using domain::WalkEnd;

bool EndsBySize(const SpecSnapshot& spec) {
  return std::ranges::any_of(spec.paging.ends, [](WalkEnd end) {
    return end == WalkEnd::kShortPage || end == WalkEnd::kEmptyPage;
  });
}

Value Degradation(const SpecSnapshot& spec) {
  const auto enumeration = domain::EnumerationOf(spec);
  Value::Array list;
  if (spec.response.total_kind == domain::TotalKind::kNone) list.emplace_back("noCount");
  if (EndsBySize(spec)) list.emplace_back("hasNextByPageSize");
  if (!spec.paging.replayable) list.emplace_back("tokenNotReplayable");
  if (enumeration.is_filtered_here) list.emplace_back("clientFilter");
  if (!enumeration.knows_time) list.emplace_back("fullScan");
  return list;
}

}  // namespace

Value PlanRemarks(const RemarkFacts& facts) {
  const auto& [spec, plan, options, price, width_reason] = facts;
  const auto or_null = [](const auto& value) { return value ? Value(*value) : Value(); };
  return Value::Object{
      {"totalEstimated", or_null(price.records)},
      {"sliceCount", price.slices},
      {"window", Value::Object{{"from", FormatRfc3339(plan.window.from())},
                               {"to", FormatRfc3339(plan.window.to())},
                               {"safetyLag", FormatIsoDuration(spec.window.safety_lag)}}},
      {"degradation", Degradation(spec)},
      {"budget", Value::Object{{"maxRequests", or_null(options.requests_max)},
                               {"qps", or_null(price.rate_per_second)}}},
      {"warnings", Value::Array(options.warnings.begin(), options.warnings.end())},
      {"enumerator", domain::CodeOf(domain::EnumerationOf(spec).kind)},
      {"namespace", Value::Object{{"scope", plan.cursor.scope}, {"key", plan.cursor.key}}},
      {"resolution", options.resolution},
      {"sliceWidth", width_reason},
      {"price", price.ToValue()}};
}

}  // namespace patra::app
