#include "contract/item_origin.h"

#include <fmt/format.h>

namespace patra::contract {
namespace {

constexpr int kQuarantineShown = 20;

Result<ItemOrigin> OriginOf(LedgerQueries& ledger, Id batch) {
  ItemOrigin origin{.batch = PATRA_TRY(IfThere(ledger.Batch(batch)))};
  if (!origin.batch) return origin;
  origin.run = PATRA_TRY(IfThere(ledger.Run(origin.batch->run)));
  origin.task = PATRA_TRY(IfThere(ledger.Task(origin.batch->task)));
  origin.slice = PATRA_TRY(IfThere(ledger.Slice(origin.batch->slice)));
  origin.plan = PATRA_TRY(IfThere(ledger.Plan(origin.batch->plan)));
  if (origin.plan) origin.trigger = PATRA_TRY(IfThere(ledger.Trigger(origin.plan->trigger)));
  return origin;
}

template <typename Row>
Value ObjectOf(const std::optional<Row>& row) {
  return row ? ToObject(FactsOf(*row)) : Value();
}

}  // namespace

Result<ItemRow> FindOne(ItemQueries& items, const std::string& source, const std::string& endpoint,
                        const std::string& id, const FindHints& hints) {
  const auto found = PATRA_TRY(items.Find(source, endpoint, id));
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no record '{}'", id), {},
                "ids are as the provider writes them, case included; " + hints.where);
  }
  std::string places;
  for (const auto& item : found)
    places += fmt::format("{}{}/{}", places.empty() ? "" : ", ", item.source, item.endpoint);
  return Fail(ErrorCode::kConflict, fmt::format("'{}' is a record of {}", id, places), {},
              hints.which);
}

Result<ItemWhy> WhyOf(ReadSide& read, const ItemRow& item, int pages_max) {
  ItemWhy why{.item = item};
  why.origin = PATRA_TRY(OriginOf(read.ledger(), item.batch));
  why.quarantined =
      PATRA_TRY(read.items().Quarantined(item.source, item.endpoint, item.id, kQuarantineShown));
  why.first_batch = PATRA_TRY(read.items().FirstBatch(item));
  why.pages = PATRA_TRY(read.items().PagesWith(item, pages_max));
  return why;
}

Facts FactsOf(const ItemWhy& why) {
  Value::Array quarantined, naming;
  for (const auto& row : why.quarantined) quarantined.push_back(ToObject(FactsOf(row)));
  for (const auto batch : why.pages) naming.push_back(IdFact(batch));
  const auto& origin = why.origin;
  return {
      {"item", ToObject(FactsOf(why.item))}, {"batch", ObjectOf(origin.batch)},
      {"run", ObjectOf(origin.run)},         {"task", ObjectOf(origin.task)},
      {"slice", ObjectOf(origin.slice)},     {"plan", ObjectOf(origin.plan)},
      {"trigger", ObjectOf(origin.trigger)}, {"firstBatch", IdFact(why.first_batch.value_or(0))},
      {"pages", std::move(naming)},          {"quarantined", std::move(quarantined)}};
}

}  // namespace patra::contract
