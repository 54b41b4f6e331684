#pragma once

#include "app/port/item_views.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class ItemViews final : public app::ItemViews {
 public:
  explicit ItemViews(Store& store) : store_(store) {}

  Result<std::string> RefreshItemView(const domain::SpecSnapshot& spec) override;

  // The same inside somebody else's transaction, from the text of a snapshot. Text that is no snapshot has
  // no fields to show and is left alone.
  static Result<void> RefreshIn(Connection& connection, const std::string& snapshot);

 private:
  Store& store_;
};

}  // namespace patra::infra::sqlite
