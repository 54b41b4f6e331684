// How records fared.
#pragma once

#include <cstdint>

namespace patra::domain {

// What became of one that was taken in.
enum class Overwrite {
  kInsert,     // nothing there yet
  kUpdate,     // newer, with other content
  kUnchanged,  // the same content; its version may still move forward
  kStale,      // older than what is there: dropped, counted
};

// How a batch's records fared. All but `received` add up to it (I14).
struct RecordCounts {
  std::int64_t received = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t stale = 0;
  std::int64_t quarantined = 0;
  std::int64_t filtered = 0;
  std::int64_t repeated = 0;  // of `received`, what came more often than announced
  std::int64_t outside = 0;   // of `filtered`, what the provider's own filter should have held back
  std::int64_t elsewhere =
      0;  // of what was taken in, what another slice of the plan had brought, see item/elsewhere.h
  std::int64_t isolated_pages = 0;  // of `quarantined`, pages of which nobody knows what they hold
  // Beside `received`: what came with the pages and is not meant by a filter of `items`.
  std::int64_t passed_over = 0;
  // Of `inserted` and of `updated`, what came into a stretch that was proven before, see item/late.h.
  std::int64_t late = 0;
  // Of `inserted` and of `updated`, what says that a record is gone. Told while it goes on, and not kept by the ledger.
  std::int64_t inserted_gone = 0;
  std::int64_t updated_gone = 0;

  bool Balances() const {
    return received == inserted + updated + unchanged + stale + quarantined + filtered;
  }
  RecordCounts& operator+=(const RecordCounts& other);
  void Count(Overwrite outcome);  // of one record, beside `received`
  friend bool operator==(const RecordCounts&, const RecordCounts&) = default;
};

}  // namespace patra::domain
