#pragma once

#include "app/port/heal_journal.h"
#include "infra/sqlite/heal_journal_table.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class HealJournal final : public app::HealJournal {
 public:
  HealJournal(Store& store, IdGenerator& ids) : store_(store), ids_(ids) {}

  Result<void> Add(const app::HealEntry& entry) override {
    return store_.Write([&](Connection& connection) {
      return heal_journal_table::Insert(connection, entry, ids_.Next());
    });
  }
  Result<std::vector<app::HealEntry>> List(const std::string& provenance, Instant since,
                                           int entries_max) override {
    return store_.Read([&](Connection& connection) {
      return heal_journal_table::List(connection, provenance, since, entries_max);
    });
  }

 private:
  Store& store_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sqlite
