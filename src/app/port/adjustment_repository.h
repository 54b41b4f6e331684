// What self-healing changes for a while, for whoever plans and executes. In force means: its time is not up.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/port/decision.h"
#include "base/id.h"
#include "base/result.h"
#include "domain/word/adjustment.h"

namespace patra::app {

using domain::Adjustment;
using domain::AdjustmentKind;

// Whoever acts by itself goes by this name.
inline constexpr std::string_view kHealActor = "patra heal";

class AdjustmentRepository {
 public:
  virtual ~AdjustmentRepository() = default;

  // Over the one of that kind, where there is one.
  virtual Result<void> Put(const Adjustment& adjustment) = 0;

  // False where there was none. A cursor that was held goes on to what its events say. Audited.
  virtual Result<bool> TakeBack(const std::string& provenance, const std::string& endpoint,
                                AdjustmentKind kind, const Decision& decision) = 0;

  virtual Result<std::optional<Adjustment>> Find(const std::string& provenance,
                                                 const std::string& endpoint,
                                                 AdjustmentKind kind) = 0;
  virtual Result<std::vector<Adjustment>> List() = 0;

  // Leaves a request for whoever executes the slice, at the end of a batch or when it is taken up. False where
  // the slice has ended.
  virtual Result<bool> AskOfSlice(Id slice, domain::SliceRequest request,
                                  const std::string& reason) = 0;
};

}  // namespace patra::app
