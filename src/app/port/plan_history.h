// What earlier work tells about the work to come.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "domain/plan/slice_width.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"

namespace patra::app {

class PlanHistory {
 public:
  virtual ~PlanHistory() = default;

  // Of the newest finished slices of that query; nothing where there are none.
  virtual Result<std::optional<domain::SliceHistory>> Of(const domain::Lane& lane,
                                                         const std::string& query_hash) = 0;

  // Whether anything of that query within the window was cut into parts that announced less than all of it.
  virtual Result<bool> AnyFellShort(const domain::Lane& lane, const std::string& query_hash,
                                    const domain::Window& window) = 0;

  // How many records the newest plan that read the whole list has found; nothing where none has.
  virtual Result<std::optional<std::int64_t>> ListSize(const domain::Lane& lane,
                                                       const std::string& query_hash) = 0;
};

}  // namespace patra::app
