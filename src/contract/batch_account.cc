#include "contract/batch_account.h"

#include <vector>

#include "contract/item_origin.h"

namespace patra::contract {
namespace {

constexpr int kEventsMax = 100;

// The step that the batch was the last one to lead to: a run makes more than one where it completes others' work, too.
bool IsLedToBy(const CursorEventRow& event, const BatchRow& batch) {
  const auto remarks = JsonFact(event.remarks);
  const auto* number = remarks.Find("batchNo");
  return number != nullptr && *number == Value(batch.number);
}

}  // namespace

Facts FactsOf(const BatchAccount& account) {
  Value::Array events;
  for (const auto& event : account.events) events.push_back(ToObject(FactsOf(event)));
  return Joined({FactsOf(account.batch),
                 FactsOf(account.window),
                 {{"fingerprint", account.fingerprint},
                  {"exprHash", account.expr_hash},
                  {"signature", account.signature},
                  {"cursorEvents", std::move(events)}}});
}

Result<BatchAccount> AccountOf(LedgerQueries& ledger, Id batch) {
  BatchAccount account{.batch = PATRA_TRY(ledger.Batch(batch))};
  const auto& row = account.batch;
  if (const auto slice = PATRA_TRY(IfThere(ledger.Slice(row.slice)))) {
    account.window = slice->window;
    account.expr_hash = slice->expr_hash;
    account.signature = slice->signature;
  }
  if (const auto plan = PATRA_TRY(IfThere(ledger.Plan(row.plan))))
    account.fingerprint = plan->fingerprint;
  account.events =
      PATRA_TRY(ledger.EventsOf({.plan = row.plan, .run = row.run, .rows_max = kEventsMax}));
  std::erase_if(account.events,
                [&](const CursorEventRow& event) { return !IsLedToBy(event, row); });
  return account;
}

}  // namespace patra::contract
