// A batch with everything that the ledger can say about it: what it was for, how it was asked for, what came, what was decided,
// and what moved because of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/ledger_queries.h"

namespace patra::contract {

struct BatchAccount {
  BatchRow batch;
  std::optional<Stretch> window{};  // of its slice
  // What it was made by.
  std::string fingerprint{};  // of the plan's snapshot
  std::string expr_hash{};    // of the slice's expression
  std::string signature{};    // of the slice
  std::vector<CursorEventRow> events{};
};

Facts FactsOf(const BatchAccount& account);

// Of what a batch was made by, empty is what is not in the ledger any more.
Result<BatchAccount> AccountOf(LedgerQueries& ledger, Id batch);

}  // namespace patra::contract
