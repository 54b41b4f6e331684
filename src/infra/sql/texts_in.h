// The first column of a query's rows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "infra/sql/session.h"

namespace patra::infra::sql {

inline Result<std::vector<std::string>> TextsIn(Rows rows) {
  std::vector<std::string> texts;
  while (PATRA_TRY(rows.Next())) texts.push_back(rows.Text(kOnly));
  return texts;
}

// Those of a list that a query yields.
inline Result<std::set<std::string>> TextsAmong(Session& session, std::string_view sql,
                                                ValueList list, Parameters parameters) {
  std::set<std::string> texts;
  PATRA_TRY(session.QueryIn(sql, list, parameters, [&](const Rows& rows) -> Result<void> {
    texts.insert(rows.Text(kOnly));
    return {};
  }));
  return texts;
}

}  // namespace patra::infra::sql
