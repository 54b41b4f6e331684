// What self-healing changes about a source for a while: small numbers that go before the definition's own. The
// snapshot of a plan stays as it is; whoever plans or executes asks for these as well.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "domain/word/codes.h"

namespace patra::domain {

enum class AdjustmentKind {
  kPageSize,     // records per page, where the definition asks for more
  kConcurrency,  // requests at the same time
  kSafetyLag,    // microseconds, where the definition says less
  kCursorHold,   // HARVEST: events go on, the value stays
};
constexpr auto CodesOf(AdjustmentKind) {
  using enum AdjustmentKind;
  return std::to_array<Coded<AdjustmentKind>>({{kPageSize, "PAGE_SIZE"},
                                               {kConcurrency, "CONCURRENCY"},
                                               {kSafetyLag, "SAFETY_LAG"},
                                               {kCursorHold, "CURSOR_HOLD"}});
}

struct Adjustment {
  std::string provenance;
  std::string endpoint;
  AdjustmentKind kind = AdjustmentKind::kPageSize;
  std::int64_t value = 1;
  std::string reason;
  std::optional<Instant> until{};  // none: until somebody takes it back
  std::string made_by{};
  Instant made_at{};
};

// What an executor is asked to do with a slice at the end of its next batch.
enum class SliceRequest { kReslice, kFail };
constexpr auto CodesOf(SliceRequest) {
  return std::to_array<Coded<SliceRequest>>(
      {{SliceRequest::kReslice, "RESLICE"}, {SliceRequest::kFail, "FAIL"}});
}

}  // namespace patra::domain
