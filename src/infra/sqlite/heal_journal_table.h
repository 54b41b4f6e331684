// Table ing_heal_journal.
#pragma once

#include <vector>

#include "app/port/heal_journal.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::heal_journal_table {

Result<void> Insert(Connection& connection, const app::HealEntry& entry, Id new_id);
Result<std::vector<app::HealEntry>> List(Connection& connection, const std::string& provenance,
                                         Instant since, int entries_max);

}  // namespace patra::infra::sqlite::heal_journal_table
