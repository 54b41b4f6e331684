// Moves a whole store into another database.
//
// The source takes no changes from the moment on when it says that it moves (promotion_table.h), and the target none until it is
// whole. Rows are copied in the order of their keys, a bounded number in a transaction: what the target holds of a table tells
// where to go on, so that whoever starts again after any interruption goes on there. Then both are read anew and compared. Only
// where they are the same, the source says that it has moved, and after that the target that it is whole; at no moment do both
// take changes.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "contract/store_promotion.h"
#include "infra/sql/database.h"
#include "infra/sql/stored_table.h"

namespace patra::infra::sql {

// Both schemas are up to date.
struct PromotedStore {
  Database& database;
  const Clock& clock;
  std::string name;  // by which it is opened
};

enum class PromotionStage { kCopy, kCompare };
using OnPromotion =
    std::function<void(PromotionStage stage, const std::string& table, std::int64_t rows)>;

// Why a table is not copied; empty: it is.
std::string_view WhyItStays(std::string_view table);

Result<contract::StorePromotion> Promote(const PromotedStore& source, const PromotedStore& target,
                                         const OnPromotion& on_progress,
                                         const RowsBound& bound = {});

// The source takes changes again, and what was copied is of no use. What it was being moved to.
Result<std::string> GiveUpPromotion(const PromotedStore& source);

}  // namespace patra::infra::sql
