// What is wrong with one page, decided by the faults before the provider builds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/record_shape.h"

namespace patra::sim {

struct PageTroubles {
  bool repeat_page = false;  // the items of the page before
  bool swap_pages = false;   // pages 1 and 2, 3 and 4, … change places
  bool empty_page = false;   // no items, though the walk goes on
  bool shuffle_items = false;
  std::int64_t total_shift = 0;
  bool drop_total = false;
  bool ignore_filter = false;   // everything, whatever window is asked for
  std::int64_t drift = 0;       // > 0: rows before this page vanished; < 0: rows were inserted
  std::int64_t duplicates = 0;  // the first so many items come again at the end
  bool drop_next = false;       // the walk seems to end here
  bool repeat_token = false;    // the token that was sent comes back
  bool dead_token = false;      // a next token that is refused when it is sent
  std::string foreign_next;     // a next URL on this origin
  RecordDefect defect = RecordDefect::kNone;
  std::size_t defect_at = 0;  // index in the page; beyond the end counts from the start again
  std::uint64_t seed = 0;     // for shuffling
};

}  // namespace patra::sim
