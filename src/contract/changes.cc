#include "contract/changes.h"

#include <limits>

#include <fmt/format.h>

#include "base/integer.h"
#include "base/quote.h"

namespace patra::contract {

std::string_view Name(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInserted:
      return "inserted";
    case ChangeKind::kUpdated:
      return "updated";
    case ChangeKind::kDeleted:
      return "deleted";
    case ChangeKind::kMerged:
      break;
  }
  return "merged";
}

std::string ChangePlace::Text() const { return fmt::format("{}.{}", position, heard); }

Result<ChangePlace> ChangePlace::Parse(std::string_view text) {
  const auto dot = text.find('.');
  const auto position = ParseInteger(text.substr(0, dot));
  const auto heard = dot == std::string_view::npos ? std::optional<std::int64_t>()
                                                   : ParseInteger(text.substr(dot + 1));
  if (!position || !heard || *position < 1 || *heard < 0 ||
      *heard > std::numeric_limits<int>::max()) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no place among changes", Quote(std::string(text), 40)), {},
                "give one as it came with a page, such as 412.7; 'end' for what comes from now on; "
                "or leave it out for all that is kept");
  }
  return ChangePlace{*position, static_cast<int>(*heard)};
}

Facts FactsOf(const ChangeRow& row) {
  return {{"place", row.place.Text()},  {"change", std::string(Name(row.change.kind))},
          {"source", row.source},       {"endpoint", row.endpoint},
          {"id", row.change.id},        {"mergedInto", TextFact(row.change.merged_into)},
          {"batch", IdFact(row.batch)}, {"committedAt", TimeFact(row.committed_at)}};
}

}  // namespace patra::contract
