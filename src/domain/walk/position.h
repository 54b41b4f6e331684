// Where a batch starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::domain {

struct Position {
  std::optional<std::int64_t> page{};  // number or offset
  std::optional<std::int64_t> size{};  // records per page, where it is not the source's own
  std::optional<std::string> token{};  // or URL; in the second phase, the first id
  // A token that names no position (a scroll handle) is no identity, and only who got it can use it.
  bool token_is_position = true;
  std::optional<Instant> time{};  // TIME: from here on
  bool is_detail = false;         // of the second phase

  // As the ledger keeps it: {"page":4}, {"token":"…"}, {"time":"…"}, {"detail":true,"token":"id"}.
  Value ToValue() const;
  static Result<Position> FromValue(const Value& value);

  friend bool operator==(const Position&, const Position&) = default;
};

std::string Describe(const Position& position);  // "page 4"

}  // namespace patra::domain
