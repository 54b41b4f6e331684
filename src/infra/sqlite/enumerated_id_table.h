// Tables ing_enumerated_id and ing_bad_id: the ledger of two-phase ids.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "domain/plan/plan.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::enumerated_id_table {

Result<bool> Add(Connection& connection, Id slice, const std::string& id, Id batch, Instant now);
// All that was found for a slice, which starts over.
Result<void> Forget(Connection& connection, Id slice);

Result<std::vector<std::string>> NextOpen(Connection& connection, Id slice, int ids_max);
// Those that this batch was the first to find, and those that it dealt with in the second phase, in their order.
Result<std::vector<std::string>> FoundBy(Connection& connection, Id slice, Id batch, int ids_max);
Result<std::vector<std::string>> AnsweredBy(Connection& connection, Id slice, Id batch,
                                            int ids_max);
// Those that were open when that batch began, from `first` on.
Result<std::vector<std::string>> OpenBefore(Connection& connection, Id slice, Id batch,
                                            const std::string& first, int ids_max);
Result<void> Close(Connection& connection, Id slice, const std::string& id, std::string_view status,
                   Id batch, Instant now);

Result<bool> IsBad(Connection& connection, const domain::Partition& partition,
                   const std::string& id);
Result<void> ListBad(Connection& connection, const domain::Partition& partition,
                     const std::string& id, const std::string& reason, Id batch, Instant now);
Result<bool> ReleaseBad(Connection& connection, const domain::Partition& partition,
                        const std::string& id, Instant now);

// The ids of a plan that nobody has answered yet, in no order.
struct LastLook {
  std::string id;
  std::optional<Instant> looked_at;  // none: there is no such record
};
Result<std::vector<LastLook>> OpenOf(Connection& connection, Id plan, std::int64_t ids_max);

}  // namespace patra::infra::sqlite::enumerated_id_table
