// Cuts pages out of a view, with the troubles that a fault asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/corpus.h"
#include "sim/page_troubles.h"
#include "sim/record_shape.h"

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

// The same of rows that were found otherwise, with the troubles that such lists can have.
Page CutRows(std::vector<Entry> rows, std::int64_t offset, std::int64_t limit,
             const PageTroubles& troubles);

// Appends every entry with `append(entry)`, which writes to `out`, and spoils the one that a fault
// chose.
template <typename Append>
void AppendRecords(const std::vector<Entry>& entries, std::string_view separator,
                   const PageTroubles& troubles, const RecordShape& shape, std::string& out,
                   Append&& append) {
  const auto chosen = entries.empty() ? 0 : troubles.defect_at % entries.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out += separator;
    const auto start = out.size();
    append(entries[i]);
    if (i == chosen) Spoil(out, start, shape, troubles.defect);
  }
}

}  // namespace patra::sim
