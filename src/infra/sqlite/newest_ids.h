// Lists that are newest first although no single index has their order: the newest ids of several ranges,
// each read from its own end, are merged. Ids rise with time.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "base/id.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

class NewestIds {
 public:
  explicit NewestIds(int ids_max) : ids_max_(static_cast<std::size_t>(ids_max)) {}

  // The ids of one range, in the first column.
  Result<void> Add(Result<Rows> query) {
    auto rows = PATRA_TRY(std::move(query));
    while (PATRA_TRY(rows.Next())) ids_.push_back(rows.Integer(0));
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

}  // namespace patra::infra::sqlite
