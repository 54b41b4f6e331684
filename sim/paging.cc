#include "sim/paging.h"

#include <algorithm>

#include "base/random.h"

namespace patra::sim {
namespace {

std::int64_t TroubledOffset(std::int64_t offset, std::int64_t limit, std::int64_t count,
                            const PageTroubles& troubles) {
  if (limit == 0) return offset;
  if (troubles.repeat_page && offset >= limit) offset -= limit;
  if (troubles.swap_pages) {
    const auto page = offset / limit;
    const auto other = (page ^ 1) * limit;
    if (other < count) offset = other;
  }
  // Rows came or went before this page only if there is a page before it.
  if (offset > 0) offset += troubles.drift;
  return std::clamp<std::int64_t>(offset, 0, count);
}

void Shuffle(std::vector<Entry>& entries, std::uint64_t seed) {
  SeededRandom random(seed);
  for (auto left = entries.size(); left > 1; --left) {
    std::swap(entries[left - 1], entries[random.Below(left)]);
  }
}

}  // namespace

Page CutPage(const View& view, View::Ranks window, std::int64_t offset, std::int64_t limit,
             bool newest_first, const PageTroubles& troubles) {
  const auto count = std::max<std::int64_t>(0, window.count());
  offset = std::clamp<std::int64_t>(offset, 0, count);
  limit = std::clamp<std::int64_t>(limit, 0, count);

  Page page;
  page.total = std::max<std::int64_t>(0, count + troubles.total_shift);
  page.next_offset = std::min(offset + limit, count);
  page.more = page.next_offset < count;

  const auto first = TroubledOffset(offset, limit, count, troubles);
  const auto last = std::min(first + limit, count);
  if (troubles.empty_page) return page;
  if (newest_first) {
    view.Collect({window.last - last, window.last - first}, page.entries);
    std::ranges::reverse(page.entries);
  } else {
    view.Collect({window.first + first, window.first + last}, page.entries);
  }
  if (troubles.shuffle_items) Shuffle(page.entries, troubles.seed);
  const auto again =
      std::min<std::int64_t>(troubles.duplicates, static_cast<std::int64_t>(page.entries.size()));
  for (std::int64_t i = 0; i < again; ++i) {
    page.entries.push_back(page.entries[static_cast<std::size_t>(i)]);
  }
  return page;
}

Page CutRows(std::vector<Entry> rows, std::int64_t offset, std::int64_t limit,
             const PageTroubles& troubles) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto first = std::clamp<std::int64_t>(offset, 0, count);
  const auto last = std::min(first + std::clamp<std::int64_t>(limit, 0, count), count);
  Page page{.total = std::max<std::int64_t>(0, count + troubles.total_shift),
            .next_offset = last,
            .more = last < count};
  if (!troubles.empty_page) page.entries.assign(rows.begin() + first, rows.begin() + last);
  if (troubles.shuffle_items) Shuffle(page.entries, troubles.seed);
  return page;
}

}  // namespace patra::sim
