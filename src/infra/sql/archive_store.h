#pragma once

#include <array>
#include <mutex>
#include <string>

#include "app/port/archive_store.h"
#include "base/clock.h"
#include "infra/sql/archived_rows.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ArchiveStore final : public app::ArchiveStore {
 public:
  ArchiveStore(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<app::ArchiveLook> Look(app::ArchivedKind kind, Instant before,
                                const app::ArchivePlace& after, int rows_max) override;
  Result<std::vector<domain::ArchiveLine>> Lines(app::ArchivedKind kind,
                                                 std::span<const Id> ids) override;
  Result<void> Announce(const app::ArchiveFile& file) override;
  Result<void> Confirm(const app::ArchiveFile& file) override;
  Result<std::int64_t> Remove(const app::ArchiveFile& file, std::span<const Id> ids) override;
  Result<void> Conclude(Id file, app::ArchiveState state) override;
  Result<void> Withdraw(Id file) override;
  Result<std::vector<app::ArchiveFile>> Unfinished() override;
  Result<std::vector<app::ArchiveFile>> List(Id after, int files_max) override;
  Result<app::VaultSize> Vault() override;
  Result<std::int64_t> DropPages(std::span<const Id> batches) override;

 private:
  // The statement that reads rows of a table by their ids; statements are kept by their address.
  const std::string& SelectIn(app::ArchivedKind kind, const StoredTable& table);

  Database& database_;
  const Clock& clock_;
  ArchivedTables tables_;
  std::mutex mutex_;
  std::array<std::string, 3> select_;  // by kind
};

}  // namespace patra::infra::sql
