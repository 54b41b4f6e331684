// What people may correct in the ledger by hand.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "contract/ledger_rows.h"
#include "domain/word/actor.h"

namespace patra::app {

struct CancelRequest {
  enum class Kind { kPlan, kSlice, kTask };

  Kind kind = Kind::kPlan;
  Id id = 0;
  std::string reason{};
};

struct CancelReport {
  std::int64_t slices = 0;
  std::int64_t tasks = 0;
};

struct CursorChange {
  contract::CursorRow before;
  contract::CursorRow after;
};

class Corrections {
 public:
  virtual ~Corrections() = default;

  virtual Result<CancelReport> Cancel(const CancelRequest& request, const domain::Actor& actor) = 0;
  // One that is FAILED, PARTIAL or parked.
  virtual Result<void> RequeueTask(Id task, const std::string& reason,
                                   const domain::Actor& actor) = 0;
  // `cursor` is an id, or SOURCE/ENDPOINT for the one watermark of its harvests; `value` a moment or a number.
  virtual Result<CursorChange> SetCursor(const std::string& cursor, const std::string& value,
                                         const std::string& reason, const domain::Actor& actor) = 0;
};

}  // namespace patra::app
