#include "domain/plan/slicer.h"

#include <algorithm>

#include "base/random.h"

namespace patra::domain {

TimeSlicer::TimeSlicer(std::vector<Window> stretches, TimeGrid cuts, SliceOrder order)
    : stretches_(std::move(stretches)), cuts_(cuts), order_(order) {
  if (order_ == SliceOrder::kOldestFirst) std::ranges::reverse(stretches_);
}

std::optional<SliceSpec> TimeSlicer::Next() {
  if (stretches_.empty()) return std::nullopt;
  const auto stretch = stretches_.back();
  stretches_.pop_back();
  const bool oldest_first = order_ == SliceOrder::kOldestFirst;
  const auto cut =
      oldest_first ? cuts_.After(stretch.from()) : cuts_.Floor(stretch.to() - Duration(1));
  if (cut <= stretch.from() || cut >= stretch.to()) return SliceSpec{.window = stretch};

  const auto older = *Window::Between(stretch.from(), cut);
  const auto newer = *Window::Between(cut, stretch.to());
  stretches_.push_back(oldest_first ? newer : older);
  return SliceSpec{.window = oldest_first ? older : newer};
}

PageSlicer::PageSlicer(const Window& window, const PageCut& cut, std::int64_t from)
    : window_(window), cut_(cut), next_(from) {
  PATRA_ASSERT(cut.per_slice > 0);
}

std::optional<SliceSpec> PageSlicer::Next() {
  if (is_done_) return std::nullopt;
  const auto from = next_;
  next_ += cut_.per_slice;
  is_done_ = cut_.RecordsBefore(next_) >= cut_.records;
  SliceSpec slice{.dimension = SliceDimension::kPage,
                  .window = window_,
                  .pages = PageBounds{.from = from,
                                      .to = is_done_ ? kNoLastPage : next_,
                                      .size = cut_.page_size,
                                      .base1 = !cut_.by_offset && cut_.first == 1}};
  if (cut_.records > 0) {
    const auto end = std::min(cut_.RecordsBefore(next_), cut_.records);
    slice.expected_records = std::max<std::int64_t>(end - cut_.RecordsBefore(from), 0);
  }
  return slice;
}

int HashBucket(std::string_view id, int buckets) {
  PATRA_ASSERT(buckets > 0);
  return static_cast<int>(HashText(id) % static_cast<std::uint64_t>(buckets));
}

std::optional<SliceSpec> SingleSlicer::Next() {
  if (!window_) return std::nullopt;
  const auto window = *window_;
  window_.reset();
  return SliceSpec{.window = window};
}

}  // namespace patra::domain
