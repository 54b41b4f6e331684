#include "infra/sql/quarantine_repository.h"

#include <fmt/format.h>

#include "contract/status.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/raw_page_table.h"
#include "infra/sql/signal_table.h"
#include "infra/sql/take_in.h"

namespace patra::infra::sql {

using app::QuarantineDecided;
using app::QuarantineStatus;

Result<std::vector<app::QuarantineEntry>> QuarantineRepository::List(
    const app::QuarantineFilter& filter, Id before, int entries_max) {
  return database_.Read([&](Session& session) {
    return quarantine_table::List(session, filter, before, entries_max);
  });
}

Result<std::vector<app::QuarantineKind>> QuarantineRepository::CountKinds(QuarantineStatus status,
                                                                          int kinds_max) {
  return database_.Read(
      [&](Session& session) { return quarantine_table::CountKinds(session, status, kinds_max); });
}

Result<std::optional<app::QuarantinedBytes>> QuarantineRepository::Find(Id id) {
  return database_.Read([&](Session& session) { return quarantine_table::Find(session, id); });
}

Result<std::optional<std::string>> QuarantineRepository::PageOf(Id batch) {
  return database_.Read([&](Session& session) -> Result<std::optional<std::string>> {
    auto page = raw_page_table::Read(session, batch);
    if (page) return std::move(page->body);
    if (page.error().code == ErrorCode::kNotFound) return std::nullopt;
    return std::unexpected(std::move(page).error());
  });
}

Result<std::int64_t> QuarantineRepository::CountOpenIn(const domain::Lane& lane,
                                                       const std::string& query_hash,
                                                       const domain::Window& window) {
  return database_.Read([&](Session& session) {
    return quarantine_table::CountOpenIn(session, lane.provenance, lane.endpoint, query_hash,
                                         window.from(), window.to(), contract::kCountedAtMost);
  });
}

Result<std::int64_t> QuarantineRepository::CountOpenOf(const domain::Lane& lane, Id plan) {
  return database_.Read([&](Session& session) {
    return quarantine_table::CountOpenOf(session, lane, plan, contract::kCountedAtMost);
  });
}

Result<std::int64_t> QuarantineRepository::CountOpenAbout(const domain::Lane& lane,
                                                          const std::vector<std::string>& ids) {
  return database_.Read([&](Session& session) {
    return quarantine_table::CountOpenAbout(session, lane.provenance, lane.endpoint, ids);
  });
}

template <typename Act>
Result<QuarantineDecided> QuarantineRepository::Decide(Id id, QuarantineStatus status,
                                                       const app::Decision& decision, Act act) {
  return database_.Write([&](Session& session) -> Result<QuarantineDecided> {
    const auto now = clock_.Now();
    const auto entry = PATRA_TRY(quarantine_table::FindEntry(session, id));
    if (!entry)
      return Fail(ErrorCode::kNotFound, fmt::format("nothing is quarantined as {}", id), {},
                  "see `patra quarantine list`");
    if (entry->status == status) return QuarantineDecided{.is_new = false};
    if (!PATRA_TRY(quarantine_table::Decide(session, id, status, decision, now))) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("{} is {} already, by {}", id, Code(entry->status),
                              entry->decided_by.value_or("somebody")));
    }
    PATRA_TRY(audit_table::Insert(session, Code(status), "QUARANTINE", fmt::to_string(id), decision,
                                  ids_.Next(), now));
    return act(session, *entry, now);
  });
}

Result<QuarantineDecided> QuarantineRepository::TakeIn(Id id, const domain::Record& record,
                                                       QuarantineStatus status,
                                                       const app::Decision& decision) {
  PATRA_ASSERT(status == QuarantineStatus::kApproved || status == QuarantineStatus::kRetried);
  const auto take_in = [&](Session& session, const app::QuarantineEntry& entry,
                           Instant now) -> Result<QuarantineDecided> {
    const auto intake = PATRA_TRY(sql::TakeIn(session,
                                              {.lane = entry.lane,
                                               .expr_hash = entry.expr_hash,
                                               .batch = entry.lineage.batch,
                                               .dedup_key = fmt::format("quarantine/{}", id)},
                                              std::span(&record, 1), ids_, now));
    return QuarantineDecided{.outcome = intake.outcomes.front()};
  };
  return Decide(id, status, decision, take_in);
}

Result<QuarantineDecided> QuarantineRepository::Reject(Id id, const app::Decision& decision) {
  return Decide(id, QuarantineStatus::kRejected, decision,
                [](Session&, const app::QuarantineEntry&, Instant) -> Result<QuarantineDecided> {
                  return QuarantineDecided{};
                });
}

Result<QuarantineDecided> QuarantineRepository::FetchAgain(Id id, const std::string& item_id,
                                                           const app::Decision& decision) {
  const auto signal = [&](Session& session, const app::QuarantineEntry& entry,
                          Instant now) -> Result<QuarantineDecided> {
    PATRA_TRY(enumerated_id_table::ReleaseBad(session, entry.lane, {{Bound(item_id)}}, now));
    PATRA_TRY(signal_table::Insert(session,
                                   {.provenance = entry.lane.provenance,
                                    .endpoint = entry.lane.endpoint,
                                    .item_id = item_id,
                                    .type = "QUARANTINE",
                                    .origin = decision.actor.name,
                                    .note = decision.reason},
                                   ids_.Next(), now));
    return QuarantineDecided{.is_signalled = true};
  };
  return Decide(id, QuarantineStatus::kRetried, decision, signal);
}

Result<bool> QuarantineRepository::ReleaseId(const std::string& provenance,
                                             const std::string& endpoint,
                                             const std::string& item_id,
                                             const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<bool> {
    const auto now = clock_.Now();
    const domain::Lane lane{provenance, endpoint, domain::Operation::kUpdate};
    const auto released =
        PATRA_TRY(enumerated_id_table::ReleaseBad(session, lane, {{Bound(item_id)}}, now));
    if (released == 0) return false;
    PATRA_TRY(audit_table::Insert(session, "RELEASE_ID", "ITEM",
                                  fmt::format("{}/{}/{}", provenance, endpoint, item_id), decision,
                                  ids_.Next(), now));
    return true;
  });
}

}  // namespace patra::infra::sql
