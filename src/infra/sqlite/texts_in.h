// The first column of a query's rows.
#pragma once

#include <string>
#include <vector>

#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

inline Result<std::vector<std::string>> TextsIn(Rows rows) {
  std::vector<std::string> texts;
  while (PATRA_TRY(rows.Next())) texts.push_back(rows.Text(0));
  return texts;
}

}  // namespace patra::infra::sqlite
