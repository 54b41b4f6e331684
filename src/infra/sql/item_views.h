#pragma once

#include "app/port/item_views.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ItemViews final : public app::ItemViews {
 public:
  explicit ItemViews(Database& database) : database_(database) {}

  Result<std::string> RefreshItemView(const domain::SpecSnapshot& spec) override;

  // The same inside somebody else's transaction, from the text of a snapshot. Text that is no snapshot has
  // no fields to show and is left alone.
  static Result<void> RefreshIn(Session& session, const std::string& snapshot);

  // All of them, for those who change what they are views of: dropped before, made anew after by the newest plan of each
  // endpoint.
  static Result<void> DropAll(Session& session);
  static Result<void> MakeAll(Session& session);

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
