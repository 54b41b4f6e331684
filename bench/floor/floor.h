// The floor: the least C++ that fetches the same pages with libcurl, parses them with simdjson, upserts id, time
// and title, and keeps the page as a zstd frame of level 1; one transaction a page, one thread, the
// same SQLite settings as patra. No permits, no retries, no ledger, no proof.
#pragma once

#include <cstdint>
#include <string>

namespace patra::floor {

struct Outcome {
  std::int64_t records = 0;
  std::int64_t bytes = 0;
  double seconds = 0;
};

// Makes the file with its tables, so that it can be filled.
void Prepare(const std::string& database);

// Walks `url` (Crossref-like, without its cursor) to the end into the SQLite file. Prints and exits on
// trouble: a floor has no time for more.
Outcome Harvest(const std::string& url, const std::string& database);

}  // namespace patra::floor
