#include "domain/word/record_counts.h"

namespace patra::domain {

RecordCounts& RecordCounts::operator+=(const RecordCounts& other) {
  received += other.received;
  inserted += other.inserted;
  updated += other.updated;
  unchanged += other.unchanged;
  stale += other.stale;
  quarantined += other.quarantined;
  filtered += other.filtered;
  repeated += other.repeated;
  outside += other.outside;
  elsewhere += other.elsewhere;
  isolated_pages += other.isolated_pages;
  passed_over += other.passed_over;
  late += other.late;
  inserted_gone += other.inserted_gone;
  updated_gone += other.updated_gone;
  return *this;
}

void RecordCounts::Count(Overwrite outcome) {
  switch (outcome) {
    case Overwrite::kInsert:
      ++inserted;
      return;
    case Overwrite::kUpdate:
      ++updated;
      return;
    case Overwrite::kUnchanged:
      ++unchanged;
      return;
    case Overwrite::kStale:
      ++stale;
      return;
  }
}

}  // namespace patra::domain
