#include "app/port/stored_message.h"

#include <set>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/value.h"

namespace patra::app {
namespace {

using contract::Change;
using contract::ChangeKind;

Value ListOf(const std::vector<std::string_view>& ids) {
  return Value::Array(ids.begin(), ids.end());
}

std::string HeadersOf(const ChangeOrigin& origin) {
  if (origin.correlation.empty()) return "{}";
  return CanonicalJson(Value::Object{{"correlationId", origin.correlation}});
}

// The last word about a record is the one that counts: it may have come twice.
Value EndsOf(const domain::Intake& intake, bool merged) {
  Value::Array ends;
  std::set<std::string_view> told;
  for (auto end = intake.ended.rbegin(); end != intake.ended.rend(); ++end) {
    const auto& record = **end;
    if (!told.insert(record.id).second || record.merged_into.has_value() != merged) continue;
    Value::Object value{{"id", record.id},
                        {"at", FormatRfc3339(record.gone_at.value_or(record.version.updated_at))}};
    if (record.merged_into) value["into"] = *record.merged_into;
    ends.emplace_back(std::move(value));
  }
  return ends;
}

std::string TextIn(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? std::string() : *text;
}

const Value::Array& ListIn(const Value& value, std::string_view name) {
  static const Value::Array kNone;
  const auto* member = value.Find(name);
  const auto* list = member == nullptr ? nullptr : member->AsArray();
  return list == nullptr ? kNone : *list;
}

std::vector<Change> EndsIn(const Value& payload, std::string_view name, ChangeKind kind) {
  std::vector<Change> ends;
  for (const auto& end : ListIn(payload, name)) {
    Change change{.kind = kind, .id = TextIn(end, "id")};
    if (const auto into = TextIn(end, "into"); !into.empty()) change.merged_into = into;
    ends.push_back(std::move(change));
  }
  return ends;
}

}  // namespace

std::optional<OutboxMessage> StoredMessage(const ChangeOrigin& origin,
                                           const domain::Intake& intake) {
  if (intake.inserted.empty() && intake.updated.empty() && intake.ended.empty())
    return std::nullopt;
  const auto& [provenance, endpoint, operation] = origin.lane;
  Value::Object payload{{"provenance", provenance},
                        {"endpoint", endpoint},
                        {"operation", std::string(domain::Code(operation))},
                        {"batch", fmt::to_string(origin.batch)},
                        {"inserted", ListOf(intake.inserted)},
                        {"updated", ListOf(intake.updated)}};
  if (!intake.ended.empty()) {
    payload["deleted"] = EndsOf(intake, false);
    payload["merged"] = EndsOf(intake, true);
  }
  return OutboxMessage{.channel = std::string(kItemChannel),
                       .op_type = "ITEMS_CHANGED",
                       .partition_key = fmt::format("{}/{}", provenance, endpoint),
                       .dedup_key = origin.dedup_key,
                       .payload = CanonicalJson(payload),
                       .headers = HeadersOf(origin)};
}

Result<std::vector<Change>> ChangesIn(std::string_view payload) {
  const auto value = PATRA_TRY(ParseJson(payload));
  auto ends = EndsIn(value, "deleted", ChangeKind::kDeleted);
  for (auto& merged : EndsIn(value, "merged", ChangeKind::kMerged))
    ends.push_back(std::move(merged));
  // A record that was deleted as it came is told as deleted alone, and so on.
  std::set<std::string> told;
  for (const auto& end : ends) told.insert(end.id);
  std::vector<Change> changes;
  const auto tell = [&](std::string_view name, ChangeKind kind) {
    for (const auto& entry : ListIn(value, name)) {
      const auto* id = entry.AsString();
      if (id != nullptr && told.insert(*id).second) changes.push_back({.kind = kind, .id = *id});
    }
  };
  tell("inserted", ChangeKind::kInserted);
  tell("updated", ChangeKind::kUpdated);
  for (auto& end : ends) changes.push_back(std::move(end));
  return changes;
}

}  // namespace patra::app
