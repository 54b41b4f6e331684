// What is known of a query of an endpoint beside its plans: what the definition in force says of it, for those who look at the
// ledger and not at definitions; and what earlier ones said when they proved something.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/cursor/coverage.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"

namespace patra::app {

struct QueryInForce {
  Instant begins;     // where the definition's window starts
  std::string asked;  // JSON of domain/spec/asked.h

  friend bool operator==(const QueryInForce&, const QueryInForce&) = default;
};

// A snapshot that plans of the query were made from.
struct PlannedSnapshot {
  std::string fingerprint;
  std::string snapshot;
};

class QueryBook {
 public:
  virtual ~QueryBook() = default;

  // Writes only what differs from what is there.
  virtual Result<void> Note(const domain::Lane& lane, const std::string& query_hash,
                            const QueryInForce& in_force) = 0;

  // Each once, whether it proved anything or not.
  virtual Result<std::vector<PlannedSnapshot>> Snapshots(const domain::Lane& lane,
                                                         const std::string& query_hash) = 0;

  // What slices proved whose plans were made from one of these.
  virtual Result<domain::Coverage> ProvenUnder(const domain::Lane& lane,
                                               const std::string& query_hash,
                                               const std::set<std::string>& fingerprints,
                                               const domain::Window& window) = 0;
};

}  // namespace patra::app
