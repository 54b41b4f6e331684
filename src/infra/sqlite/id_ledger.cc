#include "infra/sqlite/id_ledger.h"

#include "infra/sqlite/enumerated_id_table.h"
#include "infra/sqlite/item_table.h"

namespace patra::infra::sqlite {

Result<std::vector<std::string>> IdLedger::NextOpen(Id slice, int ids_max) {
  return store_.Read([&](Connection& connection) {
    return enumerated_id_table::NextOpen(connection, slice, ids_max);
  });
}

Result<std::vector<std::string>> IdLedger::Known(const domain::Partition& partition, int ids_max) {
  return store_.Read([&](Connection& connection) {
    return item_table::LookedAtLast(connection, partition, ids_max);
  });
}

}  // namespace patra::infra::sqlite
