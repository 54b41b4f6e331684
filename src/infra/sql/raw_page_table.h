// Table ing_raw_page: the raw vault, one zstd frame per response page.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::raw_page_table {

// A page as it is stored. Packing takes longer than writing, so it comes before the transaction.
struct Packed {
  const app::RawPage& page;
  std::string body_hash;
  std::string frame;
};
Packed Pack(const app::RawPage& page);

Result<void> Insert(Session& session, Id batch, const Packed& packed);
// What is in the store.
Result<app::RawPage> Read(Session& session, Id batch);
// The page in a row of the table. kCorruption where it does not match its checksum.
Result<app::RawPage> PageIn(const Rows& rows, Id batch);

}  // namespace patra::infra::sql::raw_page_table
