// Table ing_raw_page: the raw vault, one zstd frame per response page.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::raw_page_table {

Result<void> Insert(Connection& connection, Id batch, const app::RawPage& page);
Result<app::RawPage> Read(Connection& connection, Id batch);

}  // namespace patra::infra::sqlite::raw_page_table
