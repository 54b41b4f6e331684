#include "domain/item/record.h"

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
  return *this;
}

}  // namespace patra::domain
