// Watermarks. Written by the run ledger's Close; read by the planner.
#pragma once

#include <optional>

#include "base/result.h"
#include "domain/cursor/coverage.h"
#include "domain/plan/plan.h"

namespace patra::app {

class CursorRepository {
 public:
  virtual ~CursorRepository() = default;

  virtual Result<std::optional<Instant>> Watermark(const domain::Partition& partition,
                                                   const domain::CursorNamespace& cursor) = 0;

  // What is proven complete inside `window`.
  virtual Result<domain::Coverage> CoverageIn(const domain::Partition& partition,
                                              const std::string& query_hash,
                                              const domain::Window& window) = 0;
};

}  // namespace patra::app
