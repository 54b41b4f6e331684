#include "infra/sql/id_ledger.h"

#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_table.h"

namespace patra::infra::sql {

Result<std::vector<std::string>> IdLedger::NextOpen(Id slice, int ids_max) {
  return database_.Read(
      [&](Session& session) { return enumerated_id_table::NextOpen(session, slice, ids_max); });
}

Result<std::vector<std::string>> IdLedger::Known(const domain::Lane& lane, int ids_max) {
  return database_.Read(
      [&](Session& session) { return item_table::LookedAtLast(session, lane, ids_max); });
}

}  // namespace patra::infra::sql
