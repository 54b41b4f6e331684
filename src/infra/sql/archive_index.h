// Table ing_archive_index.
#pragma once

#include "app/port/archive_index.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ArchiveIndex final : public app::ArchiveIndex {
 public:
  ArchiveIndex(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Add(const app::ArchivedRows& rows) override;
  Result<std::optional<app::ArchivedRows>> Find(const std::string& table, Id row) override;
  Result<std::vector<app::ArchivedRows>> List(const std::string& table, Id from, int max) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
