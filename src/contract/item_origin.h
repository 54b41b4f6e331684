// Why a record is as it is: the chain from it back to what was asked for, as far as the ledger still holds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/items.h"
#include "contract/read_side.h"

namespace patra::contract {

// What somebody is told to do, in the words of their way in.
struct FindHints {
  std::string where;  // ids can be seen
  std::string which;  // of several records of that id is meant
};

// The one record of that id; empty source and endpoint stand for any.
Result<ItemRow> FindOne(ItemQueries& items, const std::string& source, const std::string& endpoint,
                        const std::string& id, const FindHints& hints);

struct ItemOrigin {
  std::optional<BatchRow> batch{};
  std::optional<RunRow> run{};
  std::optional<TaskRow> task{};
  std::optional<SliceRow> slice{};
  std::optional<PlanRow> plan{};
  std::optional<TriggerRow> trigger{};
};

struct ItemWhy {
  ItemRow item;
  ItemOrigin origin{};
  std::optional<Id> first_batch{};
  std::vector<Id> pages{};  // batches whose pages name it
  std::vector<QuarantineRow> quarantined{};
};

Result<ItemWhy> WhyOf(ReadSide& read, const ItemRow& item, int pages_max);
Facts FactsOf(const ItemWhy& why);

template <typename Row>
Result<std::optional<Row>> IfThere(Result<Row> found) {
  if (found) return *std::move(found);
  if (found.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(found.error());
}

}  // namespace patra::contract
