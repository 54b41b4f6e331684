// Tables ing_enumerated_id and ing_bad_id: the ledger of two-phase ids.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/port/run_ledger.h"
#include "base/id.h"
#include "domain/word/lane.h"
#include "domain/word/quarantined.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::enumerated_id_table {

struct Found {
  std::string_view id;
  std::string_view closed_as{};  // where it needs no details; empty: it does
};
// REQUIRES: each id once, and none that the slice has already
Result<void> Add(Session& session, Id slice, std::span<const Found> found, Id batch, Instant now);
// Those of them that the slice has.
Result<std::set<std::string>> FoundBefore(Session& session, Id slice,
                                          std::span<const std::string> ids);
// All that was found for a slice, which starts over.
Result<void> Forget(Session& session, Id slice);

Result<std::vector<std::string>> NextOpen(Session& session, Id slice, int ids_max);
// Those that this batch was the first to find, and those that it dealt with in the second phase, in their order.
Result<std::vector<std::string>> FoundBy(Session& session, Id slice, Id batch, int ids_max);
Result<std::vector<std::string>> AnsweredBy(Session& session, Id slice, Id batch, int ids_max);
// Those that were open when that batch began, from `first` on.
Result<std::vector<std::string>> OpenBefore(Session& session, Id slice, Id batch,
                                            const std::string& first, int ids_max);
// All of a slice, with the batches that dealt with them.
struct DealtWith {
  std::string id;
  Id found_by = 0;
  std::optional<Id> answered_by{};
};
Result<std::vector<DealtWith>> OfSlice(Session& session, Id slice, int ids_max);
Result<void> Close(Session& session, Id slice, std::span<const std::string> ids,
                   std::string_view status, Id batch, Instant now);

// Ids whose details cannot be had.
Result<std::set<std::string>> BadAmong(Session& session, const domain::Lane& lane,
                                       std::span<const std::string> ids);
Result<void> ListBad(Session& session, const domain::Lane& lane, std::span<const app::BadId> bad,
                     Id batch, Instant now);
// How many were listed.
Result<std::int64_t> ReleaseBad(Session& session, const domain::Lane& lane, ValueList ids,
                                Instant now);

// The newest first.
Result<std::vector<domain::BadIdEntry>> ListedBad(Session& session,
                                                  const domain::BadIdFilter& filter, int ids_max);

// The ids of a plan that nobody has answered yet, in no order.
struct LastLook {
  std::string id;
  std::optional<Instant> looked_at;  // none: there is no such record
};
Result<std::vector<LastLook>> OpenOf(Session& session, Id plan, std::int64_t ids_max);

}  // namespace patra::infra::sql::enumerated_id_table
