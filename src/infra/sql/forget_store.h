#pragma once

#include "app/port/forget_store.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ForgetStore final : public app::ForgetStore {
 public:
  ForgetStore(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Begin(const std::string& source, const app::Decision& decision) override;
  Result<app::ForgetStep> Delete(const std::string& source, const app::ForgetStep& last,
                                 int rows_max) override;
  Result<std::vector<app::ArchiveFile>> FilesOf(const std::string& source, int files_max) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
