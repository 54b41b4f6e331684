// Table ing_item: the records themselves, one row each, newest version.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/id.h"
#include "domain/item/intake.h"
#include "domain/word/lane.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::item_table {

struct Origin {
  Id record_set;  // of new rows
  Sha256Digest expr_hash;
  Id batch;
};

// What is stored under these ids.
enum class With { kVersions, kFields };
Result<domain::StoredItems> Read(Session& session, const domain::Lane& lane,
                                 std::span<const std::string_view> ids, With with);

// Each kind of change together: new rows, rows that change, rows that are confirmed.
Result<void> Write(Session& session, const Origin& origin,
                   std::span<const domain::ItemWrite> writes, IdGenerator& ids, Instant now);

// Notes that an UPDATE asked for these records and was answered: they count as looked at whatever came of it.
Result<void> NoteChecks(Session& session, const domain::Lane& lane, Id batch,
                        std::span<const std::string> ids, Instant now);

// Those of them whose stored record came in an answer at or after `since`.
Result<std::set<std::string>> FetchedSince(Session& session, const domain::Lane& lane,
                                           std::span<const std::string> ids, Instant since);

// Ids of records that may have to be fetched again (app/port/update_candidates.h), a page at a time.
Result<std::vector<std::string>> Stale(Session& session, const domain::Lane& lane,
                                       Instant refreshed_before, const std::string& after,
                                       int ids_max);
Result<std::vector<std::string>> OfOtherPrototypes(Session& session, const domain::Lane& lane,
                                                   std::span<const std::string> prototypes,
                                                   const std::string& after, int ids_max);

Result<std::vector<std::string>> LookedAtLast(Session& session, const domain::Lane& lane,
                                              int ids_max);

// When records were looked at: the longest ago, and how many before `fresh_since`.
struct Looks {
  std::optional<Instant> oldest{};
  std::int64_t overdue = 0;
};
Result<Looks> LooksBefore(Session& session, const std::string& provenance,
                          const std::string& endpoint, Instant fresh_since,
                          std::int64_t counted_at_most);

}  // namespace patra::infra::sql::item_table
