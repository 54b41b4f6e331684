#include "contract/ledger_rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::contract {

Facts FactsOf(const Scope& scope) {
  return {{"source", scope.source}, {"endpoint", scope.endpoint}, {"operation", scope.operation}};
}

Facts FactsOf(const std::optional<Stretch>& window) {
  return {{"windowFrom", window ? Value(FormatRfc3339(window->from)) : Value()},
          {"windowTo", window ? Value(FormatRfc3339(window->to)) : Value()}};
}

std::string Stretch::Describe() const {
  return fmt::format("[{}, {})", FormatRfc3339(from), FormatRfc3339(to));
}

std::string CursorRow::Name() const {
  return fmt::format("{}/{}/{}/{}", scope.Name(), scope.operation, key, namespace_key);
}

std::int64_t RecordSums::missing() const {
  return announced ? std::max<std::int64_t>(*announced - received, 0) : 0;
}

RecordSums& RecordSums::operator+=(const RecordSums& other) {
  if (other.announced) announced = announced.value_or(0) + *other.announced;
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

}  // namespace patra::contract
