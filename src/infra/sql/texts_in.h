// The first column of a query's rows.
#pragma once

#include <string>
#include <vector>

#include "infra/sql/session.h"

namespace patra::infra::sql {

inline Result<std::vector<std::string>> TextsIn(Rows rows) {
  std::vector<std::string> texts;
  while (PATRA_TRY(rows.Next())) texts.push_back(rows.Text(kOnly));
  return texts;
}

}  // namespace patra::infra::sql
