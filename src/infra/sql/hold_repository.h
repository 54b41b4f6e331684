#pragma once

#include "app/port/hold_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/alert/alert_kind.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class HoldRepository final : public app::HoldRepository {
 public:
  HoldRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Pause(const domain::Hold& pause, const app::Decision& decision) override;
  Result<void> Resume(const std::string& provenance, const std::string& endpoint,
                      const app::Decision& decision) override;
  Result<void> Forgive(const std::string& provenance, const std::string& endpoint,
                       const app::Decision& decision) override;
  Result<void> Blow(const domain::Hold& fuse, const std::string& evidence) override;
  Result<void> Reset(const std::string& provenance, const std::string& endpoint,
                     const app::Decision& decision) override;
  Result<std::vector<domain::Fuse>> Fuses(const domain::FuseFilter& filter) override;
  Result<std::vector<domain::Hold>> Holds(domain::Role role) override;

  // For a transaction that is open already.
  static Result<std::vector<domain::Hold>> HoldsIn(Session& session, domain::Role role,
                                                   Instant now);

 private:
  Result<void> EndPause(Session& session, const domain::AlertAbout& about,
                        const app::Decision& decision);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
