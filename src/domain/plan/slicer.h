// The slices of a plan, one after another. They are made when they are asked for, so that a plan of a
// million slices takes no more memory than one of ten; and they tile the window exactly (I3).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "domain/plan/slice_spec.h"
#include "domain/window/time_grid.h"
#include "domain/word/window.h"

namespace patra::domain {

class Slicer {
 public:
  virtual ~Slicer() = default;

  virtual std::optional<SliceSpec> Next() = 0;  // nothing after the last
};

// In which order time is cut: HARVEST begins with the oldest, BACKFILL with the newest.
enum class SliceOrder { kOldestFirst, kNewestFirst };

// Stretches of time, cut at the points of a grid. Two plans over the same stretch cut it alike; the ends
// are shortened instead. REQUIRES: the stretches are disjoint and in order
class TimeSlicer final : public Slicer {
 public:
  TimeSlicer(std::vector<Window> stretches, TimeGrid cuts, SliceOrder order);

  std::optional<SliceSpec> Next() override;

 private:
  std::vector<Window> stretches_;  // the next one last
  TimeGrid cuts_;
  SliceOrder order_;
};

// A list that knows no time, cut by place. Places are what requests count: the numbers of pages, or of
// records where a walk goes by offset.
struct PageCut {
  std::int64_t first = 1;      // place
  std::int64_t per_slice = 0;  // places
  std::int64_t records = 0;    // expected in all; 0 where nobody knows
  std::int64_t page_size = 0;
  bool by_offset = false;

  std::int64_t RecordsBefore(std::int64_t place) const {
    return (place - first) * (by_offset ? 1 : page_size);
  }
  friend bool operator==(const PageCut&, const PageCut&) = default;
};
// So many places a slice; the last one goes on to the end, for lists grow between two harvests.
class PageSlicer final : public Slicer {
 public:
  // From that place on, which a slice ended at. REQUIRES: cut.per_slice > 0
  PageSlicer(const Window& window, const PageCut& cut, std::int64_t from);

  std::optional<SliceSpec> Next() override;

 private:
  Window window_;
  PageCut cut_;
  std::int64_t next_;
  bool is_done_ = false;
};

// Which of so many buckets an id falls into. REQUIRES: buckets > 0
int HashBucket(std::string_view id, int buckets);

// One slice for everything.
class SingleSlicer final : public Slicer {
 public:
  explicit SingleSlicer(const Window& window) : window_(window) {}

  std::optional<SliceSpec> Next() override;

 private:
  std::optional<Window> window_;
};

}  // namespace patra::domain
