// Table ing_outbox_message: what leaves for other systems.
#pragma once

#include <vector>

#include "app/port/outbox_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::outbox_table {

// Where a message about records comes from: its number is of those about the same ones.
struct Announced {
  Id batch = 0;
  Id record_set = 0;
  std::int64_t change_number = 0;
};
// Left out where its channel and dedup key are there already.
Result<void> Insert(Session& session, const app::OutboxMessage& message, const Announced& by, Id id,
                    Instant now);

Result<bool> HasUnnumbered(Session& session);

// Gives positions to messages about records that have none; to how many. What can be seen was committed, and who numbers
// is alone: the order is the one in which they were.
Result<int> Number(Session& session, int messages_max);

// What was leased and not marked in time waits again.
Result<void> RescueExpired(Session& session, Instant now);
Result<std::vector<app::LeasedMessage>> ReadDue(Session& session, const std::string& channel,
                                                int messages_max, Instant now);

// The first that has to leave before `message`.
struct Blocker {
  bool is_pending = false;
  Instant not_before;
};
Result<std::optional<Blocker>> FindBlocker(Session& session, const app::LeasedMessage& message);

Result<void> Park(Session& session, Id message, Instant not_before);
Result<void> Lease(Session& session, Id message, const std::string& owner, Instant until);
// False, where the lease is lost.
Result<bool> MarkPublished(Session& session, Id message, const std::string& owner, Instant now);
Result<bool> MarkFailed(Session& session, Id message, const std::string& owner,
                        const std::string& error, std::optional<Instant> again_at, Instant now);
Result<bool> Requeue(Session& session, Id message, Instant now);
Result<std::vector<app::OutboxRow>> List(Session& session, const app::OutboxFilter& filter);

}  // namespace patra::infra::sql::outbox_table
