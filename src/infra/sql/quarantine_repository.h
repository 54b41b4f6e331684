#pragma once

#include "app/port/quarantine_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class QuarantineRepository final : public app::QuarantineRepository {
 public:
  QuarantineRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<std::vector<app::QuarantineEntry>> List(const app::QuarantineFilter& filter, Id before,
                                                 int entries_max) override;
  Result<std::vector<app::QuarantineKind>> CountKinds(app::QuarantineStatus status,
                                                      int kinds_max) override;
  Result<std::optional<app::QuarantinedBytes>> Find(Id id) override;
  Result<std::optional<std::string>> PageOf(Id batch) override;
  Result<std::int64_t> CountOpenIn(const domain::Lane& lane, const std::string& query_hash,
                                   const domain::Window& window) override;
  Result<std::int64_t> CountOpenOf(const domain::Lane& lane, Id plan) override;
  Result<std::int64_t> CountOpenAbout(const domain::Lane& lane,
                                      const std::vector<std::string>& ids) override;
  Result<app::QuarantineDecided> TakeIn(Id id, const domain::Record& record,
                                        app::QuarantineStatus status,
                                        const app::Decision& decision) override;
  Result<app::QuarantineDecided> Reject(Id id, const app::Decision& decision) override;
  Result<app::QuarantineDecided> FetchAgain(Id id, const std::string& item_id,
                                            const app::Decision& decision) override;
  Result<bool> ReleaseId(const std::string& provenance, const std::string& endpoint,
                         const std::string& item_id, const app::Decision& decision) override;

 private:
  // Decides, then lets `act` do what follows from it, in one transaction.
  template <typename Act>
  Result<app::QuarantineDecided> Decide(Id id, app::QuarantineStatus status,
                                        const app::Decision& decision, Act act);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
