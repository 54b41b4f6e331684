#pragma once

#include "app/port/heal_journal.h"
#include "infra/sql/database.h"
#include "infra/sql/heal_journal_table.h"

namespace patra::infra::sql {

// Thread-safe.
class HealJournal final : public app::HealJournal {
 public:
  HealJournal(Database& database, IdGenerator& ids) : database_(database), ids_(ids) {}

  Result<void> Add(const app::HealEntry& entry) override {
    return database_.Write(
        [&](Session& session) { return heal_journal_table::Insert(session, entry, ids_.Next()); });
  }
  Result<std::vector<app::HealEntry>> List(const std::string& provenance, Instant since,
                                           int entries_max) override {
    return database_.Read([&](Session& session) {
      return heal_journal_table::List(session, provenance, since, entries_max);
    });
  }

 private:
  Database& database_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
