// Table ing_fuse.
#pragma once

#include <vector>

#include "app/port/decision.h"
#include "base/id.h"
#include "domain/word/hold.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::fuse_table {

// A fuse that has blown already is left as it is.
Result<void> Blow(Session& session, const domain::Hold& fuse, const std::string& evidence,
                  Id new_id, Instant now);

// False where none was blown.
Result<bool> Reset(Session& session, const std::string& provenance, const std::string& endpoint,
                   const app::Decision& decision, Instant now);
Result<std::vector<domain::Hold>> Read(Session& session);
Result<std::vector<domain::Fuse>> List(Session& session, const domain::FuseFilter& filter);

}  // namespace patra::infra::sql::fuse_table
