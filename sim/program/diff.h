// Compares a patra store with the truth of a running simulator: a SQLite file, or what any other store exported as JSON Lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace patra::sim {

struct DiffOptions {
  std::string database;    // file; empty where there is an export
  std::string source;      // as the simulator names it: "crossref", "oai/day"
  std::string url;         // of the simulator
  std::string provenance;  // as the store names it; empty: the source's name in any case
  std::string endpoint;    // empty: all of the provenance
  std::string from;        // empty: no bound
  std::string to;
  std::string items{};  // what `patra items export --with-deleted` wrote
};

struct DiffReport {
  static constexpr std::size_t kExamplesMax = 10;
  struct Finding {
    std::int64_t count = 0;
    std::vector<std::string> examples;
    void Add(std::string example);
  };
  std::int64_t expected = 0;  // live items in the truth
  std::int64_t right = 0;
  Finding missing;  // the truth has it, the store has not
  Finding extra;    // the store has it, the truth has not
  Finding stale;    // an older version, or not marked as deleted
  Finding wrong;    // this version, other content

  bool empty() const { return missing.count + extra.count + stale.count + wrong.count == 0; }
  Value Describe() const;
};

Result<DiffReport> Compare(const DiffOptions& options);

}  // namespace patra::sim
