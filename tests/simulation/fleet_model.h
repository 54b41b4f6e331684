// How a fleet of executors, a database server or several, and a Redis would do together, in virtual time: which part is busy how
// much, and which ends first. Nothing of patra runs in it: its parts are stood for by what they were measured to take.
//
// A worker claims a task (one at a time under its database's queue lock), opens a run, and walks the task's pages: a permit, a
// request, and while the next page is fetched, one commit under the lock of its source. Locks are held from the first statement to
// the last, so for every round trip. What a transaction takes is the server's cores' and the client's, in equal parts; then it
// waits for the log, which writes what came meanwhile in one go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace patra::testing {

// In seconds. Where a number comes from stands in docs/scaling.md, "Measured", unless something else is said.
struct FleetCosts {
  double claim = 0.0039;  // of one task, ten lanes (P95; a mean would be kinder)
  int claim_trips = 14;
  int lanes_in_claim = 10;         // that both have in them already
  double claim_of_lane = 0.00012;  // 2.4 ms beside 10 lanes with ready tasks, 124 ms beside 1,000
  double claim_trips_of_lane = 0.034;  // 18 beside 10, 52 beside 1,000
  double vain_claim = 0.0007;          // nothing to claim
  int vain_claim_trips = 6;
  double commit = 0.0152;  // of a page of 1,000 new records
  int commit_trips = 28;
  double open_and_close =
      0.006;  // of a run: as two commits of 100 records, which take 3.0 ms each (assumed)
  int open_and_close_trips = 28;  // two transactions, each as often as a claim (assumed)
  double log = 0.00015;           // fdatasync, P95
  double permit =
      0.0001;  // of a Redis, for a request: 2.2 calls of 44 us (INFO commandstats of the recipe there)
  double server_part =
      0.5;  // of what a transaction takes beside its round trips: client and server shared two cores (assumed)
};

struct Fleet {
  int machines = 100;
  int workers = 16;  // of each, which is work.tasks_in_all for it
  int databases = 1;
  int cores = 16;  // of each database server
  double round_trip =
      0.0002;  // between two machines of one hall, beyond what was measured on one machine
  int sources = 1000;
  double rate = 1;       // pages a second that each source allows
  double latency = 0.5;  // of its answers
  int pages_of_task = 20;
  double look_again = 0.2;        // workers without a task look again after that long ...
  int lanes_asked_max = 1 << 20;  // by one claim: as the code is, all of them
  bool looks_for_all = false;     // ... each of them, or one for all of its process
};

// What one part of the fleet did. Busy is 1 where it never rested.
struct PartReport {
  std::string name;
  double busy = 0;
  double waited = 0;  // mean, in seconds, for its turn
};

struct FleetReport {
  std::int64_t pages = 0;         // committed
  std::int64_t fetched = 0;       // answers that came; those under way at the end are not committed
  std::int64_t left = 0;          // not fetched
  std::int64_t tasks = 0;         // finished
  double seconds = 0;             // until the last commit, or the end of the play
  double allowed = 0;             // pages a second that providers allow in all
  std::vector<PartReport> parts;  // the last are the providers' limits

  double pages_a_second() const { return seconds > 0 ? static_cast<double>(pages) / seconds : 0; }
  const PartReport& part(const std::string& name) const;
  // The part that is busiest; at 0.9 and more it is what decides.
  const PartReport& busiest() const;
};

// Until all pages are committed, or that many seconds have passed. What parts did, and what was done, counts from `from` on: a
// fleet that starts is not one that runs.
FleetReport Play(const Fleet& fleet, const FleetCosts& costs, std::int64_t pages,
                 double seconds_max, double from = 0);

}  // namespace patra::testing
