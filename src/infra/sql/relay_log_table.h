// Table ing_outbox_relay_log: every attempt to send a message.
#pragma once

#include <optional>
#include <string>

#include "app/port/outbox_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::relay_log_table {

struct Attempt {
  const app::LeasedMessage& message;
  const std::string& owner;
  std::string_view status;  // PUBLISHED, DEFERRED, FAILED or LEASE_MISSED
  std::optional<std::string> error{};
  std::optional<Instant> again_at{};
};
Result<void> Insert(Session& session, const Attempt& attempt, Id new_id, Instant now);

}  // namespace patra::infra::sql::relay_log_table
