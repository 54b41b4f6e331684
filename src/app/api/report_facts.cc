#include "app/api/report_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/plain_text.h"
#include "domain/word/operation.h"

namespace patra::app {
namespace {

using contract::Facts;
using contract::IdFact;
using contract::TextFact;
using contract::TimeFact;
using PlannedKind = Planned::Kind;

std::string_view Code(PlannedKind kind) {
  switch (kind) {
    case PlannedKind::kCreated:
      return "CREATED";
    case PlannedKind::kAlreadyPlanned:
      return "ALREADY_PLANNED";
    case PlannedKind::kNothingDue:
      return "NOTHING_DUE";
    case PlannedKind::kHeld:
      return "HELD";
    case PlannedKind::kPriced:
      break;
  }
  return "PRICED";
}

Value WindowValue(const domain::Window& window) {
  return Value::Object{{"from", FormatRfc3339(window.from())}, {"to", FormatRfc3339(window.to())}};
}

Value TextsValue(const std::vector<std::string>& texts) {
  return Value::Array(texts.begin(), texts.end());
}

}  // namespace

std::string_view StateOf(const AlertReport& report) {
  if (report.alert.resolved_at) return "resolved";
  return report.is_silenced ? "silenced" : "firing";
}

Facts FactsOf(const AlertReport& report) {
  const auto& alert = report.alert;
  return {{"key", alert.key},
          {"severity", domain::Code(alert.severity)},
          {"state", StateOf(report)},
          {"source", alert.provenance.value_or("")},
          {"endpoint", alert.endpoint.value_or("")},
          {"message", alert.message},
          {"details", ParseJson(alert.details).value_or(Value())},
          {"firstSeenAt", TimeFact(alert.first_seen_at)},
          {"lastSeenAt", TimeFact(alert.last_seen_at)},
          {"resolvedAt", TimeFact(alert.resolved_at)},
          {"timesSeen", alert.times_seen}};
}

Facts FactsOf(const GateKeyReport& key) {
  Value::Array quotas;
  for (const auto& quota : key.quotas) {
    quotas.push_back(
        Value::Object{{"from", FormatRfc3339(quota.from)},
                      {"to", FormatRfc3339(quota.to)},
                      {"allowed", quota.allowed},
                      {"reserved", quota.reserved},
                      {"left", std::max<std::int64_t>(quota.allowed - quota.reserved, 0)}});
  }
  return {{"key", key.key},
          {"reason", key.reason},
          {"blockedUntil", TimeFact(key.blocked_until)},
          {"lastUsedAt", TimeFact(key.last_used_at)},
          {"sharePpm", key.share_ppm},
          {"jitterUs", key.jitter ? Value(key.jitter->count()) : Value()},
          {"inFlight", key.in_flight},
          {"permits", key.permits},
          {"waits", key.waits},
          {"rejects", key.rejects},
          {"lostSlots", key.lost_slots},
          {"throttled", key.throttled},
          {"failures", key.failures},
          {"coolDowns", key.cool_downs},
          {"cuts", key.cuts},
          {"openings", key.openings},
          {"quotas", std::move(quotas)}};
}

Facts FactsOf(const SourceSummary& source) {
  return {{"source", source.source},
          {"name", source.name},
          {"endpoints", TextsValue(source.endpoints)},
          {"abstract", source.is_abstract},
          {"problems", static_cast<std::int64_t>(source.problems)},
          {"file", source.file}};
}

Facts FactsOf(const domain::QuarantineEntry& entry) {
  // Where there is none it is 0, which is shown as it is.
  const auto id = [](Id number) { return Value(fmt::to_string(number)); };
  return {{"id", id(entry.id)},
          {"source", entry.lane.provenance},
          {"endpoint", entry.lane.endpoint},
          {"operation", domain::Code(entry.lane.operation)},
          {"itemId", TextFact(entry.item_id)},
          {"level", entry.level},
          {"path", entry.path},
          {"rule", entry.rule},
          {"reason", entry.reason},
          {"bytes", entry.body_size},
          {"exprHash", entry.expr_hash},
          {"plan", id(entry.lineage.plan)},
          {"slice", id(entry.lineage.slice)},
          {"task", id(entry.lineage.task)},
          {"run", id(entry.lineage.run)},
          {"batch", id(entry.lineage.batch)},
          {"batchNo", entry.batch_no},
          {"recordNo", entry.record_no},
          {"status", domain::Code(entry.status)},
          {"decidedBy", TextFact(entry.decided_by)},
          {"decidedReason", TextFact(entry.decided_reason)},
          {"decidedAt", TimeFact(entry.decided_at)},
          {"createdAt", TimeFact(entry.created_at)}};
}

Facts FactsOf(const domain::QuarantineKind& kind) {
  return {{"source", kind.provenance},
          {"endpoint", kind.endpoint},
          {"rule", kind.rule},
          {"path", kind.path},
          {"records", kind.count}};
}

Facts FactsOf(const domain::HealEntry& entry) {
  const auto parsed = [](const std::string& json) { return ParseJson(json).value_or(Value()); };
  return {{"at", FormatRfc3339(entry.at)},   {"source", entry.lane.provenance},
          {"endpoint", entry.lane.endpoint}, {"operation", domain::Code(entry.lane.operation)},
          {"saw", parsed(entry.saw)},        {"did", parsed(entry.did)},
          {"result", entry.result}};
}

std::string ValueOf(const domain::Adjustment& adjustment) {
  return adjustment.kind == domain::AdjustmentKind::kSafetyLag
             ? FormatDuration(Duration(adjustment.value))
             : fmt::to_string(adjustment.value);
}

Facts FactsOf(const domain::Adjustment& adjustment) {
  return {{"source", adjustment.provenance},
          {"endpoint", adjustment.endpoint},
          {"kind", CodeOf(adjustment.kind)},
          {"value", ValueOf(adjustment)},
          {"until", adjustment.until ? FormatRfc3339(*adjustment.until) : std::string()},
          {"reason", adjustment.reason}};
}

Facts FactsOf(const domain::Signal& signal) {
  return {{"id", fmt::to_string(signal.id)},
          {"source", signal.provenance},
          {"endpoint", signal.endpoint},
          {"itemId", signal.item_id},
          {"type", signal.type},
          {"origin", signal.origin},
          {"note", signal.note}};
}

Facts FactsOfFuse(const domain::Hold& fuse) {
  return {{"source", fuse.provenance}, {"endpoint", fuse.endpoint}, {"reason", fuse.reason}};
}

Facts FactsOf(const PlanReport& report, domain::Operation operation) {
  const auto& planned = report.planned;
  Facts facts{{"kind", Code(planned.kind)},
              {"source", report.source},
              {"endpoint", report.endpoint},
              {"endpointBy", report.found_by},
              {"operation", domain::Code(operation)},
              {"plan", IdFact(planned.plan)},
              {"slices", std::int64_t{planned.slices}},
              {"triedAgain", std::int64_t{planned.tried_again}},
              {"givenUp", static_cast<std::int64_t>(planned.given_up.size())},
              {"partial", planned.is_partial},
              {"continued", planned.is_continued},
              {"reason", planned.reason},
              {"notes", TextsValue(planned.notes)},
              {"warnings", TextsValue(report.warnings)},
              {"appliedFields", static_cast<std::int64_t>(report.applied.size())}};
  if (planned.window) facts.push_back({"window", WindowValue(*planned.window)});
  if (planned.watermark) facts.push_back({"watermark", FormatRfc3339(*planned.watermark)});
  if (planned.price) facts.push_back({"price", planned.price->ToValue()});
  if (planned.kind == PlannedKind::kPriced) {
    Value::Array first;
    for (const auto& stretch : planned.stretches) first.push_back(WindowValue(stretch));
    facts.push_back({"firstSlices", std::move(first)});
  }
  if (planned.stops_after) facts.push_back({"stopsAfter", std::int64_t{*planned.stops_after}});
  return facts;
}

Facts FactsOfFinding(const Error& finding, std::string_view severity) {
  return {{"file", finding.place.file},
          {"line", std::int64_t{finding.place.line}},
          {"column", std::int64_t{finding.place.column}},
          {"path", finding.place.pointer},
          {"severity", severity},
          {"message", finding.message},
          {"fix", finding.hint}};
}

Facts FactsOf(const domain::Job& job) {
  const auto jitter = job.jitter > Duration::zero() ? Value(FormatDuration(job.jitter)) : Value();
  return {{"job", job.id},
          {"source", job.provenance},
          {"endpoint", contract::TextFact(job.endpoint)},
          {"operation", Code(job.operation)},
          {"cron", job.cron},
          {"timezone", job.timezone},
          {"arguments", contract::JsonFact(job.params)},
          {"query", contract::TextFact(job.query)},
          {"misfire", CodeOf(job.misfire)},
          {"jitter", jitter},
          {"enabled", job.enabled},
          {"disabledReason", job.disabled_reason.empty() ? Value() : Value(job.disabled_reason)},
          {"origin", CodeOf(job.origin)},
          {"nextFiringAt", contract::TimeFact(job.next_fire_at)},
          {"lastFiringAt", contract::TimeFact(job.last_run_at)}};
}

Facts FactsOf(const domain::Execution& execution) {
  const auto& counts = execution.counts;
  Value::Array retried;
  for (const auto plan : execution.retried_plans) retried.emplace_back(fmt::to_string(plan));
  return {{"execution", contract::IdFact(execution.id)},
          {"job", execution.job},
          {"type", CodeOf(execution.type)},
          {"status", CodeOf(execution.status)},
          {"reason", execution.reason.empty() ? Value() : Value(execution.reason)},
          {"firedAt", FormatRfc3339(execution.fired_at)},
          {"startAt", FormatRfc3339(execution.start_at)},
          {"claimedAt", FormatRfc3339(execution.started_at)},
          {"claimedBy", execution.claimed_by},
          {"plannedAt", contract::TimeFact(execution.planned_at)},
          {"finishedAt", contract::TimeFact(execution.finished_at)},
          {"trigger", contract::IdFact(execution.trigger.value_or(0))},
          {"plan", contract::IdFact(execution.plan.value_or(0))},
          {"retriedPlans", retried.empty() ? Value() : Value(std::move(retried))},
          {"received", counts.received},
          {"inserted", counts.inserted},
          {"updated", counts.updated},
          {"unchanged", counts.unchanged},
          {"quarantined", counts.quarantined},
          {"requests", counts.requests}};
}

contract::Facts FactsOf(const PreviewedPage& page, std::size_t bytes_max) {
  const auto texts = [](const std::vector<std::string>& all) {
    return Value::Array(all.begin(), all.end());
  };
  // A provider's bytes need not be text.
  const auto shown = [&](const std::string& bytes) { return Spelled(bytes.substr(0, bytes_max)); };
  Value::Array headers;
  for (const auto& [name, value] : page.headers)
    headers.push_back(Value::Object{{"name", name}, {"value", value}});
  Value::Array records;
  for (const auto& record : page.first_records) {
    records.push_back(Value::Object{{"id", record.id},
                                    {"updatedAt", record.updated},
                                    {"deleted", record.is_deleted},
                                    {"raw", shown(record.raw)},
                                    {"rawBytes", std::ssize(record.raw)},
                                    {"fields", ParseJson(record.mapped).value_or(Value())}});
  }
  return {{"what", page.what},
          {"method", page.method},
          {"url", page.url},
          {"headers", std::move(headers)},
          {"body", shown(page.body)},
          {"answer", page.answer},
          {"outline", texts(page.outline)},
          {"verdict", page.verdict},
          {"later", page.is_later},
          {"records", page.records},
          {"badRecords", page.bad_records},
          {"announced", contract::CountFact(page.announced)},
          {"next", shown(page.next)},
          {"firstRecords", std::move(records)},
          {"firstBad", texts(page.first_bad)},
          {"ids", page.ids},
          {"firstIds", texts(page.first_ids)}};
}

}  // namespace patra::app
