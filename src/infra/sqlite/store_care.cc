#include "infra/sqlite/store_care.h"

#include "infra/sql/runbook.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/fold_log.h"
#include "infra/sqlite/migration.h"

namespace patra::infra::sqlite {

Result<app::SchemaChange> StoreCare::Migrate(Instant now) {
  auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadWrite));
  PATRA_TRY(connection->Execute("PRAGMA journal_mode = WAL"));
  auto change = sqlite::Migrate(*connection, EmbeddedMigrations(), now);
  CloseAndFold(std::move(connection), file_);
  return change;
}

Result<app::StoreFindings> StoreCare::Check() {
  auto findings = [&]() -> Result<app::StoreFindings> {
    const auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadOnly));
    return CheckDatabase(*connection);
  }();
  FoldWhatIsLeft(file_);
  return findings;
}

Result<app::StoreFindings> StoreCare::Look() {
  auto findings = [&]() -> Result<app::StoreFindings> {
    const auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadOnly));
    return LookAtDatabase(*connection);
  }();
  FoldWhatIsLeft(file_);
  return findings;
}

Result<std::vector<app::StoreAnswer>> StoreCare::Ask(Instant now) {
  auto answers = [&]() -> Result<std::vector<app::StoreAnswer>> {
    const auto connection = PATRA_TRY(Connection::Open(file_, Connection::Access::kReadOnly));
    return sql::AskRunbook(*connection, now);
  }();
  FoldWhatIsLeft(file_);
  return answers;
}

Result<void> StoreCare::BackUp(const std::string& target) {
  auto done = Backup(file_, target);
  FoldWhatIsLeft(file_);
  return done;
}

Result<void> StoreCare::Restore(const std::string& backup) {
  return sqlite::Restore(backup, file_);
}

}  // namespace patra::infra::sqlite
