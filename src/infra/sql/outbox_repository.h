// Tables ing_outbox_message and ing_outbox_relay_log.
#pragma once

#include "app/port/outbox_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class OutboxRepository final : public app::OutboxRepository {
 public:
  OutboxRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<std::vector<app::LeasedMessage>> Lease(const app::OutboxLease& lease) override;
  Result<void> Published(const app::LeasedMessage& message, const std::string& owner) override;
  Result<void> Failed(const app::LeasedMessage& message, const std::string& owner,
                      const std::string& error, std::optional<Instant> again_at) override;
  Result<int> NumberChanges(int messages_max) override;
  Result<std::vector<app::OutboxRow>> List(const app::OutboxFilter& filter) override;
  Result<void> Requeue(Id message, const app::Decision& decision) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
