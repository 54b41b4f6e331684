// Table ing_walk_page: the ids on each page of a walk that is not over.
#pragma once

#include <span>

#include "base/id.h"
#include "domain/walk/walk_memory.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::walk_page_table {

Result<void> Insert(Connection& connection, Id slice, std::int64_t page_no,
                    std::span<const std::uint64_t> ids);

// In the order in which they were read.
Result<std::vector<domain::PageIds>> Read(Connection& connection, Id slice);

Result<void> Forget(Connection& connection, Id slice);

}  // namespace patra::infra::sqlite::walk_page_table
