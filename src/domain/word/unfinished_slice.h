// A slice that ended without success.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "domain/word/window.h"

namespace patra::domain {

// FAILED or PARTIAL, and no smaller slices took it over.
struct UnfinishedSlice {
  Id plan = 0;
  Id slice = 0;
  Id task = 0;
  Window window;
  std::string fingerprint;  // of the plan's snapshot
  std::int64_t tries = 0;   // by commands, since a person last queued it
  std::string reason;       // what is missing and why
  // Where it reached beyond the provider's now when it was read: what comes after that was read too early.
  std::optional<Instant> provable_to{};

  bool has_failed = false;            // FAILED, and not only left with a rest
  std::optional<Instant> ended_at{};  // when it was tried last

  bool is_early() const { return provable_to && !has_failed; }
};

}  // namespace patra::domain
