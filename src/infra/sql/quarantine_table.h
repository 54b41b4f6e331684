// Table ing_quarantine: the isolation pool.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/port/quarantine_repository.h"
#include "app/port/run_ledger.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::quarantine_table {

// Where it comes from.
struct Origin {
  const app::LeasedTask& task;
  const domain::Lineage& lineage;
  int batch_no = 1;
  int record_no = 1;                    // of the first
  std::optional<Instant> fetched_at{};  // of the answer, where it is not the batch's own
  bool is_walked_past = false;  // the walk goes on behind it, and may prove its slice all the same
};
enum class Met {
  kFirst,
  kAgain,     // it stands there already, and has one more place
  kApproved,  // a person has decided about just that
  kRejected,
};
// What became of each.
Result<std::vector<Met>> InsertAll(Session& session, const Origin& origin,
                                   std::span<const domain::BadRecord> records, IdGenerator& ids,
                                   Instant now);

// What came of replays of a batch and is not decided, and the last number among all that the batch has here.
struct OfReplays {
  int last_record_no = 0;
  std::set<std::pair<std::string, std::string>> open;  // item id, packed bytes
};
Result<OfReplays> FindReplayed(Session& session, Id batch);
// Bytes as FindReplayed has them.
std::string Packed(const std::string& bytes);

// As app/port/quarantine_repository.h says.
Result<std::vector<app::QuarantineEntry>> List(Session& session,
                                               const app::QuarantineFilter& filter, Id before,
                                               int entries_max);
Result<std::vector<app::QuarantineKind>> CountKinds(Session& session, app::QuarantineStatus status,
                                                    int kinds_max);
Result<std::optional<app::QuarantineEntry>> FindEntry(Session& session, Id id);
Result<std::optional<app::QuarantinedBytes>> Find(Session& session, Id id);

// From OPEN to `status`; false where it is not open.
Result<bool> Decide(Session& session, Id id, app::QuarantineStatus status,
                    const app::Decision& decision, Instant now);

// Open rows that slices of the query met in the window, up to a bound.
Result<std::int64_t> CountOpenIn(Session& session, const std::string& provenance,
                                 const std::string& endpoint, const std::string& query_hash,
                                 Instant from, Instant to, std::int64_t counted_at_most);
// That slices of the plan met.
Result<std::int64_t> CountOpenOf(Session& session, const domain::Lane& lane, Id plan,
                                 std::int64_t counted_at_most);
// About these ids.
Result<std::int64_t> CountOpenAbout(Session& session, const std::string& provenance,
                                    const std::string& endpoint,
                                    const std::vector<std::string>& ids);

// Of an endpoint.
Result<bool> HasOpen(Session& session, const domain::Lane& lane);

// What stands open about items that came well is settled, unless this walk over the slice met it, too.
Result<void> SettleItems(Session& session, const domain::Lane& lane, ValueList item_ids, Id slice,
                         Instant now);

}  // namespace patra::infra::sql::quarantine_table
