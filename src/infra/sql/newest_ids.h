// Lists that are newest first although no single index has their order: the newest ids of several ranges,
// each read from its own end, are merged. Ids rise with time.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "base/id.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

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

}  // namespace patra::infra::sql
