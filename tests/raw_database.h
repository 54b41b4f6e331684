// Looks behind the door of a store.
#pragma once

#include "infra/sql/sql_store.h"

namespace patra::testing {

inline infra::sql::Database& DatabaseOf(app::Store& store) {
  return static_cast<infra::sql::SqlStore&>(store).database();
}

}  // namespace patra::testing
