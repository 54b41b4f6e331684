// Table ing_heal_journal.
#pragma once

#include <vector>

#include "app/port/heal_journal.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::heal_journal_table {

Result<void> Insert(Session& session, const app::HealEntry& entry, Id new_id);
Result<std::vector<app::HealEntry>> List(Session& session, const std::string& provenance,
                                         Instant since, int entries_max);

}  // namespace patra::infra::sql::heal_journal_table
