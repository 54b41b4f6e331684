#include "domain/plan/plan.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

std::string CorrelationOf(Id trigger, const std::optional<std::string>& scheduler_log_id) {
  return scheduler_log_id.value_or(fmt::to_string(trigger));
}

std::string QueryHash(const std::optional<std::string>& query) {
  if (!query) return Sha256Hex("{}");
  return Sha256Hex(CanonicalJson(Value::Object{{"query", *query}}));
}

std::string PlanKey(const Lane& lane, std::string_view query_hash, const Window& window) {
  return fmt::format("{}/{}..{}/{}", lane.Key(), FormatRfc3339(window.from()),
                     FormatRfc3339(window.to()), query_hash.substr(0, 16));
}

CursorNamespace HarvestNamespace(const Lane& lane, std::string_view query_hash,
                                 std::string_view cursor_key) {
  const Value identity =
      Value::Object{{"endpoint", lane.endpoint}, {"query", query_hash}, {"cursorKey", cursor_key}};
  return {.scope = "EXPR",
          .key = Sha256Hex(CanonicalJson(identity)),
          .cursor_key = std::string(cursor_key)};
}

CursorNamespace ActivityNamespace(const Lane& lane, std::string_view query_hash,
                                  const Value& activity, std::string_view cursor_key) {
  const Value identity = Value::Object{{"source", lane.provenance},
                                       {"endpoint", lane.endpoint},
                                       {"operation", Code(lane.operation)},
                                       {"query", query_hash},
                                       {"activity", activity}};
  return {.scope = "CUSTOM",
          .key = Sha256Hex(CanonicalJson(identity)),
          .cursor_key = std::string(cursor_key)};
}

Value WishesIn(std::string_view task_params) {
  const auto params = ParseJson(task_params);
  const auto* wishes = params ? params->Find("wishes") : nullptr;
  return wishes == nullptr ? Value(Value::Object{}) : *wishes;
}

std::string SliceSignature(const Lane& lane, std::string_view expr_hash, const SliceSpec& spec) {
  return Sha256Hex(CanonicalJson(Value::Object{{"provenance", lane.provenance},
                                               {"endpoint", lane.endpoint},
                                               {"operation", Code(lane.operation)},
                                               {"exprHash", expr_hash},
                                               {"spec", spec.Identity()}}));
}

SliceWithTask MakeSlice(const Plan& plan, const SliceSpec& spec, int number, Instant scheduled_at) {
  SliceWithTask made{.slice = {.number = number, .window = spec.window},
                     .task = {.scheduled_at = scheduled_at,
                              .rate_key = plan.rate_key,
                              .requests_left = spec.expected_requests.value_or(1),
                              .at_once = plan.at_once}};
  auto& slice = made.slice;
  auto expr = Localise(plan.expression, plan.expr_proto_hash, plan.query_hash, spec);
  slice.expr_snapshot = std::move(expr.snapshot);
  slice.expr_hash = std::move(expr.hash);
  slice.spec = CanonicalJson(spec.ToValue());
  auto params = spec.Identity();
  params["wishes"] = plan.wishes;
  made.task.params = CanonicalJson(params);
  slice.signature_hash = SliceSignature(plan.lane, slice.expr_hash, spec);
  made.task.idempotent_key = Sha256Hex(CanonicalJson(Value::Object{
      {"plan", plan.key}, {"slice", slice.signature_hash}, {"params", made.task.params}}));
  return made;
}

std::vector<SliceWithTask> CutByTime(const Plan& plan, Duration width, Instant scheduled_at) {
  std::vector<SliceWithTask> cut;
  for (const auto& window : plan.window.TileBy(width)) {
    cut.push_back(
        MakeSlice(plan, {.window = window}, static_cast<int>(cut.size()) + 1, scheduled_at));
  }
  return cut;
}

}  // namespace patra::domain
