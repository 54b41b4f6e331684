// Where a batch starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace patra::domain {

struct Position {
  std::optional<std::int64_t> page{};  // number or offset
  std::optional<std::int64_t> size{};  // records per page, where it is not the source's own
  std::optional<std::string> token{};  // or URL; in the second phase, the first id
  // A token that names no position (a scroll handle) is no identity.
  bool token_is_position = true;
  // A place that the walk has gone back to: only who read it before can tell what comes again.
  bool is_read_again = false;
  std::optional<Instant> time{};  // TIME: from here on
  bool is_detail = false;         // of the second phase

  // By a run that has not read what lies before.
  bool can_be_resumed() const { return token_is_position && !is_read_again; }

  friend bool operator==(const Position&, const Position&) = default;
};

std::string Describe(const Position& position);  // "page 4"

}  // namespace patra::domain
