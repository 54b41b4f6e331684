// Table ing_walk_page: the ids on each page of a walk that is not over.
#pragma once

#include <span>

#include "base/id.h"
#include "domain/walk/walk_memory.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::walk_page_table {

Result<void> Insert(Session& session, Id slice, std::int64_t page_no,
                    std::span<const std::uint64_t> ids);

// In the order in which they were read.
Result<std::vector<domain::PageIds>> Read(Session& session, Id slice);

Result<void> Forget(Session& session, Id slice);

}  // namespace patra::infra::sql::walk_page_table
