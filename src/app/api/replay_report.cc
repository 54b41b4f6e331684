#include "app/api/replay_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::app {
namespace {

using Kind = RecordDifference::Kind;

std::string_view Name(ReplayMode mode) {
  switch (mode) {
    case ReplayMode::kReport:
      return "report";
    case ReplayMode::kIsolate:
      return "isolate";
    case ReplayMode::kCommit:
      break;
  }
  return "commit";
}

Value JsonOrNull(const std::string& text) {
  auto value = ParseJson(text);
  return value ? *std::move(value) : Value();
}

Value TimeOrNull(const std::optional<Instant>& time) {
  return time ? Value(FormatRfc3339(*time)) : Value();
}

Value TextOrNull(const std::string& text) { return text.empty() ? Value() : Value(text); }

Value RecordedValue(const ReplayReport& report) {
  const auto& recorded = report.recorded;
  return Value::Object{{"status", recorded.status},
                       {"error", recorded.error ? Value(*recorded.error) : Value()},
                       {"records", recorded.records},
                       {"bad", recorded.bad},
                       {"next", recorded.next},
                       {"request", JsonOrNull(recorded.request)},
                       {"bodySha256", TextOrNull(recorded.body_hash)},
                       {"committedAt", TimeOrNull(recorded.committed_at)}};
}

Value GotValue(const ReplayReport& report) {
  const auto& got = report.got;
  if (report.verdict == ReplayVerdict::kNoPage)
    return Value::Object{{"request", JsonOrNull(got.request)}};
  return Value::Object{{"request", JsonOrNull(got.request)},
                       {"status", got.status},
                       {"fetchedAt", FormatRfc3339(got.fetched_at)},
                       {"announced", got.announced ? Value(*got.announced) : Value()},
                       {"records", got.records},
                       {"bad", got.bad},
                       {"filtered", got.filtered},
                       {"unanswered", got.unanswered},
                       {"next", got.next},
                       {"bodySha256", TextOrNull(got.body_hash)}};
}

Value HashesValue(const ReplayReport& report) {
  Value::Array hashes;
  for (const auto& hash : report.hashes) {
    hashes.emplace_back(Value::Object{
        {"of", hash.of}, {"recorded", hash.recorded}, {"now", hash.now}, {"same", hash.is_same()}});
  }
  return hashes;
}

Value DifferenceValue(const RecordDifference& difference) {
  return Value::Object{{"kind", Name(difference.kind)},
                       {"id", TextOrNull(difference.id)},
                       {"fields", Value::Array(difference.fields.begin(), difference.fields.end())},
                       {"changedSince", difference.is_since}};
}

Value CommittedValue(const ReplayReport& report) {
  if (report.mode != ReplayMode::kCommit || report.refusal) return {};
  const auto& counts = report.committed;
  return Value::Object{
      {"run", report.replay_run == 0 ? Value() : Value(fmt::to_string(report.replay_run))},
      {"inserted", counts.inserted},
      {"updated", counts.updated},
      {"unchanged", counts.unchanged},
      {"stale", counts.stale}};
}

}  // namespace

std::string_view Name(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kAgrees:
      return "agrees";
    case ReplayVerdict::kChangedSince:
      return "differs: the provider has changed since";
    case ReplayVerdict::kDiffers:
      return "differs";
    case ReplayVerdict::kNoPage:
      break;
  }
  return "no page";
}

std::string_view Name(Kind kind) {
  switch (kind) {
    case Kind::kChanged:
      return "changed";
    case Kind::kOlder:
      return "older";
    case Kind::kNew:
      return "new";
    case Kind::kGone:
      return "gone";
    case Kind::kBad:
      break;
  }
  return "bad";
}

std::int64_t ReplayReport::Count(Kind kind) const {
  return std::ranges::count(differences, kind, &RecordDifference::kind);
}

Value ToValue(const ReplayReport& report, std::size_t differences_max) {
  Value::Object counts{{"same", report.same}, {"superseded", report.superseded}};
  for (const auto kind : {Kind::kChanged, Kind::kOlder, Kind::kNew, Kind::kGone, Kind::kBad})
    counts[std::string(Name(kind))] = report.Count(kind);
  Value::Array differences;
  for (const auto& difference : report.differences) {
    if (differences.size() == differences_max) break;
    differences.push_back(DifferenceValue(difference));
  }
  return Value::Object{{"run", fmt::to_string(report.run)},
                       {"batch", fmt::to_string(report.batch)},
                       {"batchNo", report.batch_no},
                       {"source", report.lane.provenance},
                       {"endpoint", report.lane.endpoint},
                       {"operation", Code(report.lane.operation)},
                       {"window", report.window},
                       {"position", report.position},
                       {"mode", Name(report.mode)},
                       {"fromRaw", report.from_raw},
                       {"hashes", HashesValue(report)},
                       {"recorded", RecordedValue(report)},
                       {"got", GotValue(report)},
                       {"counts", std::move(counts)},
                       {"differences", std::move(differences)},
                       {"verdict", Name(report.verdict)},
                       {"reason", report.reason},
                       {"tryAt", TimeOrNull(report.try_at)},
                       {"refused", report.refusal ? Value(report.refusal->message) : Value()},
                       {"isolated", report.isolated},
                       {"committed", CommittedValue(report)}};
}

}  // namespace patra::app
