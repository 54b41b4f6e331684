// Whether a table is the same in two databases, by reading all of it in both.
#pragma once

#include <functional>

#include "contract/store_promotion.h"
#include "infra/sql/database.h"
#include "infra/sql/stored_table.h"

namespace patra::infra::sql {

// One table in one database.
struct TablePlace {
  Database& database;
  const TableAccess& access;
};

// Told now and then how many rows were read.
using OnRows = std::function<void(std::int64_t rows)>;

// The columns of both are the same, in the same order.
Result<contract::PromotedTable> CompareTables(const TablePlace& source, const TablePlace& target,
                                              const RowsBound& bound, const OnRows& on_rows);

}  // namespace patra::infra::sql
