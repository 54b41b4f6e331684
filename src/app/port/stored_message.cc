#include "app/port/stored_message.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/value.h"

namespace patra::app {
namespace {

Value ListOf(const std::vector<std::string_view>& ids) {
  return Value::Array(ids.begin(), ids.end());
}

std::string HeadersOf(const ChangeOrigin& origin) {
  if (origin.correlation.empty()) return "{}";
  return CanonicalJson(Value::Object{{"correlationId", origin.correlation}});
}

}  // namespace

std::optional<OutboxMessage> StoredMessage(const ChangeOrigin& origin,
                                           const domain::Intake& intake) {
  if (intake.inserted.empty() && intake.updated.empty()) return std::nullopt;
  const auto& [provenance, endpoint, operation] = origin.lane;
  return OutboxMessage{
      .channel = std::string(kItemChannel),
      .op_type = "ITEMS_STORED",
      .partition_key = fmt::format("{}/{}", provenance, endpoint),
      .dedup_key = origin.dedup_key,
      .payload = CanonicalJson(Value::Object{{"provenance", provenance},
                                             {"endpoint", endpoint},
                                             {"operation", std::string(domain::Code(operation))},
                                             {"batch", fmt::to_string(origin.batch)},
                                             {"inserted", ListOf(intake.inserted)},
                                             {"updated", ListOf(intake.updated)}}),
      .headers = HeadersOf(origin)};
}

std::vector<OutboxMessage> EndsOf(const ChangeOrigin& origin, const domain::Intake& intake) {
  std::vector<OutboxMessage> ends;
  const auto& [provenance, endpoint, operation] = origin.lane;
  for (const auto* ended : intake.ended) {
    const auto& record = *ended;
    const auto updated = FormatRfc3339(record.gone_at.value_or(record.version.updated_at));
    Value::Object payload{{"provenance", provenance},
                          {"endpoint", endpoint},
                          {"id", record.id},
                          {"updatedAt", updated}};
    if (record.merged_into) payload["mergedInto"] = *record.merged_into;
    const auto key = fmt::format("{}/{}/{}", provenance, endpoint, record.id);
    ends.push_back({.channel = std::string(kItemChannel),
                    .op_type = record.merged_into ? "ITEM_MERGED" : "ITEM_DELETED",
                    .partition_key = key,
                    .dedup_key = fmt::format("{}@{}", key, updated),
                    .payload = CanonicalJson(payload),
                    .headers = HeadersOf(origin)});
  }
  return ends;
}

}  // namespace patra::app
