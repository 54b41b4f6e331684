#include "infra/sql/outbox_repository.h"

#include <fmt/format.h>

#include "infra/sql/audit_table.h"
#include "infra/sql/outbox_table.h"
#include "infra/sql/relay_log_table.h"

namespace patra::infra::sql {
namespace {

// Messages that wait for another one of their key are looked at as well.
constexpr int kLookedAtPerLeased = 4;

}  // namespace

Result<std::vector<app::LeasedMessage>> OutboxRepository::Lease(const app::OutboxLease& lease) {
  return database_.Write(
      LockScope::Outbox(), [&](Session& session) -> Result<std::vector<app::LeasedMessage>> {
        const auto now = clock_.Now();
        PATRA_TRY(outbox_table::RescueExpired(session, now));
        std::vector<app::LeasedMessage> leased;
        const auto due = PATRA_TRY(outbox_table::ReadDue(
            session, lease.channel, kLookedAtPerLeased * lease.messages_max, now));
        for (const auto& message : due) {
          if (leased.size() == static_cast<std::size_t>(lease.messages_max)) break;
          const auto blocker = PATRA_TRY(outbox_table::FindBlocker(session, message));
          if (!blocker) {
            PATRA_TRY(outbox_table::Lease(session, message.id, lease.owner, now + lease.lease));
            leased.push_back(message);
          } else if (blocker->is_pending && blocker->not_before > now) {
            // It waits as long as the one before it does: left in front, a stubborn message with many behind it would
            // hide everybody else's.
            PATRA_TRY(outbox_table::Park(session, message.id, blocker->not_before));
          }
        }
        return leased;
      });
}

Result<void> OutboxRepository::Published(const app::LeasedMessage& message,
                                         const std::string& owner) {
  const auto marked = PATRA_TRY(database_.Write([&](Session& session) -> Result<bool> {
    const auto now = clock_.Now();
    const bool held = PATRA_TRY(outbox_table::MarkPublished(session, message.id, owner, now));
    PATRA_TRY(relay_log_table::Insert(
        session,
        {.message = message, .owner = owner, .status = held ? "PUBLISHED" : "LEASE_MISSED"},
        ids_.Next(), now));
    return held;
  }));
  if (marked) return {};
  return Fail(ErrorCode::kLeaseLost, fmt::format("the lease of message {} is lost", message.id), {},
              "it will be sent again; receivers know it by its dedup key");
}

Result<void> OutboxRepository::Failed(const app::LeasedMessage& message, const std::string& owner,
                                      const std::string& error, std::optional<Instant> again_at) {
  const auto marked = PATRA_TRY(database_.Write([&](Session& session) -> Result<bool> {
    const auto now = clock_.Now();
    const bool held =
        PATRA_TRY(outbox_table::MarkFailed(session, message.id, owner, error, again_at, now));
    const auto* status = !held ? "LEASE_MISSED" : again_at ? "DEFERRED" : "FAILED";
    PATRA_TRY(relay_log_table::Insert(session,
                                      {.message = message,
                                       .owner = owner,
                                       .status = status,
                                       .error = error,
                                       .again_at = again_at},
                                      ids_.Next(), now));
    return held;
  }));
  if (marked) return {};
  return Fail(ErrorCode::kLeaseLost, fmt::format("the lease of message {} is lost", message.id));
}

Result<int> OutboxRepository::NumberChanges(int messages_max) {
  // Most who ask find nothing to do, and keep nobody waiting.
  const auto has_any = PATRA_TRY(database_.Read(
      [](Session& session) -> Result<bool> { return outbox_table::HasUnnumbered(session); }));
  if (!has_any) return 0;
  return database_.Write(LockScope::Changes(), [&](Session& session) {
    return outbox_table::Number(session, messages_max);
  });
}

Result<std::vector<app::OutboxRow>> OutboxRepository::List(const app::OutboxFilter& filter) {
  return database_.Read([&](Session& session) { return outbox_table::List(session, filter); });
}

Result<void> OutboxRepository::Requeue(Id message, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    if (!PATRA_TRY(outbox_table::Requeue(session, message, now))) {
      return Fail(ErrorCode::kConflict, fmt::format("message {} is not DEAD", message), {},
                  "only what was given up can be queued again");
    }
    return audit_table::Insert(session, "REQUEUE", "OUTBOX", fmt::to_string(message), decision,
                               ids_.Next(), now);
  });
}

}  // namespace patra::infra::sql
