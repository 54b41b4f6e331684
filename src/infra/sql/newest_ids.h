// Lists that are newest first although no single index has their order: the newest ids of several ranges,
// each read from its own end, are merged. Ids rise with time.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "contract/ledger_queries.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// Ids below this one come after the filter's place.
inline Id BelowId(const contract::LedgerFilter& filter) {
  return filter.after ? filter.after->id : std::numeric_limits<Id>::max();
}
// And of lists by time: moments up to this one.
inline Instant UpTo(const contract::LedgerFilter& filter) {
  return filter.after ? filter.after->at : kInstantMax;
}

class NewestIds {
 public:
  explicit NewestIds(int ids_max) : ids_max_(static_cast<std::size_t>(ids_max)) {}

  // The ids of one range.
  Result<void> Add(Result<Rows> query) {
    auto rows = PATRA_TRY(std::move(query));
    while (PATRA_TRY(rows.Next())) ids_.push_back(rows.Integer(kOnly));
    return {};
  }

  std::vector<Id> Take() {
    std::ranges::sort(ids_, std::greater());
    if (ids_.size() > ids_max_) ids_.resize(ids_max_);
    return std::move(ids_);
  }

 private:
  std::size_t ids_max_;
  std::vector<Id> ids_;
};

// The same by the moment at which rows were made, and by id where that is equal.
class NewestByTime {
 public:
  explicit NewestByTime(int rows_max) : rows_max_(static_cast<std::size_t>(rows_max)) {}

  // `id` and `created_at` of one range.
  Result<void> Add(Result<Rows> query) {
    auto rows = PATRA_TRY(std::move(query));
    while (PATRA_TRY(rows.Next())) found_.emplace_back(rows.Time("created_at"), rows.Integer("id"));
    return {};
  }

  std::vector<Id> Take() {
    std::ranges::sort(found_, std::greater());
    if (found_.size() > rows_max_) found_.resize(rows_max_);
    std::vector<Id> ids;
    for (const auto& [at, id] : found_) ids.push_back(id);
    return ids;
  }

 private:
  std::size_t rows_max_;
  std::vector<std::pair<Instant, Id>> found_;
};

}  // namespace patra::infra::sql
