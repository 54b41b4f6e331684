// What one screen says about a store: how far each source is, what runs, waits and is broken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/facts.h"
#include "contract/ledger_rows.h"
#include "contract/past.h"

namespace patra::contract {

// Counting stops there, so that a screen never waits for a million rows.
inline constexpr std::int64_t kCountedAtMost = 10'000;

// Why tasks of an endpoint do not run although they are queued.
struct Waiting {
  std::string reason;
  Instant until;  // of the first of them
  std::int64_t tasks = 0;
};

// What the last day brought.
struct DayTotals {
  std::int64_t requests = 0;
  std::int64_t received = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t quarantined = 0;
  std::int64_t filtered = 0;
  std::int64_t bytes = 0;
};

// How fresh the definition wants the records to be, and how fresh they are. Those that are gone and those that the
// provider gives no details for do not count.
struct Freshness {
  Duration within;
  std::optional<Instant> oldest;  // the look that is longest ago; none where there are no records
  std::int64_t overdue = 0;       // records that nobody has looked at for longer
};

struct EndpointStatus {
  std::string source;
  std::string endpoint;
  std::optional<Instant> watermark;  // everything before it is proven complete, but for `skipped`
  // The first stretch before it that nobody has proven: a first harvest began later than the definition does.
  std::optional<Stretch> skipped{};
  std::optional<Instant> observed_max;  // the newest update of any record in the store
  std::int64_t running = 0;
  std::int64_t queued = 0;
  std::vector<Waiting> parked;
  std::int64_t slices_failed = 0;
  std::int64_t slices_partial = 0;
  std::int64_t quarantine_open = 0;
  std::optional<Freshness> freshness;  // none where the definition promises nothing
  DayTotals last_day;
  std::optional<RateInUse>
      rate{};  // none where nothing was sent in the last minute, or nothing bounds it
  std::optional<RunRow> last_run;

  std::int64_t tasks_parked() const;
};

// A pause that a person asked for, or a fuse that blew.
struct HoldRow {
  bool is_fuse = false;
  std::string source;
  std::string endpoint;  // "*": all of them
  std::string role;      // PLANNER, EXECUTOR or ALL
  std::string reason;
  std::string by;
  Instant since;
  std::optional<Instant> until;
};

// Another store of the same user on this machine, or another source of this one, sends with the same credential. Each is counted
// by itself, so that their requests add up.
struct SharedCredentialRow {
  std::string credential;
  std::string store;       // the other one; empty: this one
  std::string other_name;  // of the credential
  Instant used_at;
};

// Trouble that people should know of, as long as it lasts.
struct FiringAlert {
  std::string key;
  std::string message;
};
inline constexpr int kAlertsShown = 5;

struct StoreStatus {
  Instant now;
  std::vector<EndpointStatus> endpoints;  // in the order of their names
  std::vector<HoldRow> holds;
  bool parked_is_cut = false;                // more tasks are parked than were counted
  std::int64_t executors = 0;                // that were seen within the last minute
  std::int64_t alerts = 0;                   // that fire
  std::vector<FiringAlert> newest_alerts{};  // of them, kAlertsShown at most
  std::vector<SharedCredentialRow> shared_credentials{};
  std::string sharing_unknown{};  // why nobody can tell whether there are such
  std::string gate_counts{};      // whose requests the rate gate counts
  bool gate_is_shared = false;    // other stores may use the same one
  bool store_is_shared = false;   // other machines may use it, too
};

Facts FactsOf(const EndpointStatus& endpoint, Instant now);
Facts FactsOf(const HoldRow& hold);
Value ToValue(const StoreStatus& status);

class StatusQueries {
 public:
  virtual ~StatusQueries() = default;

  virtual Result<StoreStatus> Status(Instant now) = 0;
};

}  // namespace patra::contract
