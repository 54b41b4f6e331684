#include "infra/sqlite/id_ledger.h"

#include "infra/sqlite/enumerated_id_table.h"

namespace patra::infra::sqlite {

Result<int> IdLedger::AddFound(Id slice, const domain::Partition& partition,
                               std::span<const std::string> ids, Id batch) {
  return store_.Write([&](Connection& connection) -> Result<int> {
    int added = 0;
    for (const auto& id : ids) {
      if (PATRA_TRY(enumerated_id_table::IsBad(connection, partition, id))) continue;
      if (PATRA_TRY(enumerated_id_table::Add(connection, slice, id, batch, clock_.Now()))) ++added;
    }
    return added;
  });
}

Result<std::vector<std::string>> IdLedger::NextOpen(Id slice, int ids_max) {
  return store_.Read([&](Connection& connection) {
    return enumerated_id_table::NextOpen(connection, slice, ids_max);
  });
}

Result<void> IdLedger::MarkFetched(Id slice, std::span<const std::string> ids, Id batch) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    for (const auto& id : ids) {
      PATRA_TRY(enumerated_id_table::Close(connection, slice, id, "FETCHED", batch, clock_.Now()));
    }
    return {};
  });
}

Result<void> IdLedger::MarkBad(Id slice, const domain::Partition& partition,
                               std::span<const std::string> ids, const std::string& reason,
                               Id batch) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    for (const auto& id : ids) {
      PATRA_TRY(enumerated_id_table::Close(connection, slice, id, "BAD", batch, clock_.Now()));
      PATRA_TRY(
          enumerated_id_table::ListBad(connection, partition, id, reason, batch, clock_.Now()));
    }
    return {};
  });
}

}  // namespace patra::infra::sqlite
