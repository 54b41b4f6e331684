// Whether a store has what this program needs: tables and indexes as the migrations make them, and sound pages.
#pragma once

#include <string>
#include <vector>

#include "app/port/store_care.h"
#include "base/result.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

Result<app::StoreFindings> CheckDatabase(Connection& connection);

// Without reading what is stored.
Result<app::StoreFindings> LookAtDatabase(Connection& connection);

}  // namespace patra::infra::sqlite
