// Whether a store has what this program needs: tables and indexes as the migrations make them, sound
// pages, and the runbook queries that operators rely on.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

struct DatabaseFindings {
  int schema = 0;
  std::vector<std::string> problems;
};

Result<DatabaseFindings> CheckDatabase(Connection& connection);

}  // namespace patra::infra::sqlite
