#pragma once

#include "app/port/replay_store.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/archived_rows.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ReplayStore final : public app::ReplayStore {
 public:
  ReplayStore(Database& database, const Clock& clock, IdGenerator& ids, ArchivedRows& archived)
      : database_(database), clock_(clock), ids_(ids), archived_(archived) {}

  Result<app::RecordedBatch> Read(Id run, Id batch) override;
  Result<std::vector<std::optional<domain::StoredItem>>> Stored(
      const domain::Lane& lane, std::span<const std::string> ids) override;
  Result<std::int64_t> Isolate(const app::Isolation& isolation) override;
  Result<app::ReplayCommitted> Commit(const app::ReplayCommit& commit) override;

 private:
  Result<void> WriteRun(Session& session, const app::ReplayCommit& commit,
                        const app::ReplayCommitted& committed, Instant now);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
  ArchivedRows& archived_;
};

}  // namespace patra::infra::sql
