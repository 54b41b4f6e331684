#include "infra/sqlite/store_care.h"

#include "infra/sqlite/backup.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/migration.h"

namespace patra::infra::sqlite {

Result<app::SchemaChange> StoreCare::Migrate(Instant now) {
  const auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadWrite));
  PATRA_TRY(connection->Execute("PRAGMA journal_mode = WAL"));
  return sqlite::Migrate(*connection, EmbeddedMigrations(), now);
}

Result<app::StoreFindings> StoreCare::Check() {
  const auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadOnly));
  return CheckDatabase(*connection);
}

Result<void> StoreCare::BackUp(const std::string& target) { return Backup(file_, target); }

Result<void> StoreCare::Restore(const std::string& backup) {
  return sqlite::Restore(backup, file_);
}

}  // namespace patra::infra::sqlite
