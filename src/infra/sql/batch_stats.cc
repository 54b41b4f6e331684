#include "infra/sql/batch_stats.h"

#include "base/canonical_json.h"
#include "base/value.h"

namespace patra::infra::sql::batch_stats {
namespace {

Value NextHint(const std::optional<app::Position>& after) {
  if (!after) return {};
  Value::Object hint;
  if (after->page) hint["page"] = *after->page;
  if (after->token) hint["token"] = *after->token;
  if (after->time) hint["time"] = FormatRfc3339(*after->time);
  return hint;
}

std::string_view NameOf(domain::Overwrite outcome) {
  switch (outcome) {
    case domain::Overwrite::kInsert:
      return "INSERT";
    case domain::Overwrite::kUpdate:
      return "UPDATE";
    case domain::Overwrite::kUnchanged:
      return "UNCHANGED";
    case domain::Overwrite::kStale:
      break;
  }
  return "STALE";
}

Value VersionOf(const domain::ItemVersion& version) {
  Value::Object members{{"updatedAt", FormatRfc3339(version.updated_at)}};
  if (version.provider_version != 0) members["version"] = version.provider_version;
  if (version.mapping_generation != 0) members["mapping"] = version.mapping_generation;
  if (version.deleted) members["deleted"] = true;
  return members;
}

Value DecisionsOf(const std::vector<domain::DecisionSample>& samples) {
  Value::Array decisions;
  for (const auto& sample : samples) {
    decisions.emplace_back(Value::Object{{"id", sample.record->id},
                                         {"decision", NameOf(sample.outcome)},
                                         {"from", sample.over ? VersionOf(*sample.over) : Value()},
                                         {"to", VersionOf(sample.record->version)}});
  }
  return decisions;
}

}  // namespace

std::string Encode(const app::BatchCommit& batch, const batch_table::TakenIn& taken_in) {
  const auto& counts = taken_in.counts;
  Value::Object stats{
      {"itemsCount", counts.received},
      {"inserted", counts.inserted},
      {"updated", counts.updated},
      {"unchanged", counts.unchanged},
      {"stale", counts.stale},
      {"failed", counts.quarantined},
      {"filtered", counts.filtered},
      {"repeated", counts.repeated},
      {"outside", counts.outside},
      {"elsewhere", counts.elsewhere},
      {"isolatedPages", counts.isolated_pages},
      {"passedOver", counts.passed_over},
      {"late", counts.late},
      {"skipped", counts.unchanged + counts.stale + counts.filtered},
      {"latencyMs", batch.latency_ms},
      {"hasNext", batch.after.has_value()},
      {"nextHint", NextHint(batch.after)},
      {"http", Value::Object{{"status", batch.status}, {"bytes", batch.raw_page_bytes()}}},
      {"decisions", DecisionsOf(taken_in.samples)}};
  batch.evidence.AddTo(stats);
  return CanonicalJson(stats);
}

std::string Encode(const domain::Evidence& evidence) {
  Value::Object stats{{"itemsCount", 0},
                      {"latencyMs", evidence.latency / std::chrono::milliseconds(1)}};
  if (evidence.status != 0) stats["http"] = Value::Object{{"status", evidence.status}};
  evidence.AddTo(stats);
  return CanonicalJson(stats);
}

Result<domain::RecordCounts> DecodeCounts(std::string_view stats) {
  const auto value = PATRA_TRY(ParseJson(stats));
  const auto count = [&](std::string_view name) {
    const auto* member = value.Find(name);
    const auto* number = member == nullptr ? nullptr : member->AsInteger();
    return number == nullptr ? 0 : *number;
  };
  return domain::RecordCounts{.received = count("itemsCount"),
                              .inserted = count("inserted"),
                              .updated = count("updated"),
                              .unchanged = count("unchanged"),
                              .stale = count("stale"),
                              .quarantined = count("failed"),
                              .filtered = count("filtered"),
                              .repeated = count("repeated"),
                              .outside = count("outside"),
                              .elsewhere = count("elsewhere"),
                              .isolated_pages = count("isolatedPages"),
                              .passed_over = count("passedOver"),
                              .late = count("late")};
}

int HttpStatusIn(std::string_view stats) {
  const auto value = ParseJson(stats);
  const auto* http = value ? value->Find("http") : nullptr;
  const auto* status = http == nullptr ? nullptr : http->Find("status");
  const auto* number = status == nullptr ? nullptr : status->AsInteger();
  return number == nullptr || *number < 100 || *number > 999 ? 200 : static_cast<int>(*number);
}

}  // namespace patra::infra::sql::batch_stats
