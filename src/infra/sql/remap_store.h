#pragma once

#include "app/port/remap_store.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

class RemapStore final : public app::RemapStore {
 public:
  RemapStore(Database& database, Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<app::Remap> Begin(const app::RemapWish& wish, const app::Decision& decision) override;
  Result<std::vector<app::VaultPage>> Pages(const domain::Lane& lane, std::optional<Instant> since,
                                            const app::RemapPlace& after, int pages_max) override;
  Result<domain::StoredItems> Versions(const domain::Lane& lane,
                                       const std::vector<domain::Record>& records) override;
  Result<domain::RecordCounts> Commit(const app::RemapCommit& commit) override;
  Result<void> Note(const app::Remap& remap) override;
  Result<void> Finish(const app::Remap& remap) override;

 private:
  Database& database_;
  Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
