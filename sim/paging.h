// Cuts pages out of a view, with the troubles that a fault asked for.
#pragma once

#include <vector>

#include "sim/corpus.h"
#include "sim/page_troubles.h"

namespace patra::sim {

struct Page {
  std::vector<Entry> entries;
  std::int64_t total = 0;        // as announced
  std::int64_t next_offset = 0;  // where the walk goes on
  bool more = false;             // whether it does
};

// Rows [offset, offset + limit) of the window, newest first on request.
Page CutPage(const View& view, View::Ranks window, std::int64_t offset, std::int64_t limit,
             bool newest_first, const PageTroubles& troubles);

}  // namespace patra::sim
