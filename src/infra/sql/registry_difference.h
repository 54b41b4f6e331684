// What has to become of the registry's rows, and how people are told.
#pragma once

#include <string>
#include <vector>

#include "app/port/registry.h"
#include "infra/sql/registry_rows.h"

namespace patra::infra::sql {

// What has to be closed and what has to be opened.
struct RowDifference {
  std::vector<RegistryRow> closed{};
  std::vector<RegistryRow> opened{};
  std::vector<app::RegistryChange> changes{};

  bool empty() const { return closed.empty() && opened.empty(); }
};

// Each definition is all rows of one source; rows of other sources count for nothing.
RowDifference DifferenceOf(const std::vector<RegistryRow>& stored,
                           const std::vector<std::vector<RegistryRow>>& definitions);

struct FieldDifference {
  std::vector<domain::QueryField> put{};
  std::vector<std::string> removed{};
  std::vector<app::RegistryChange> changes{};
};

FieldDifference DifferenceOf(const std::vector<domain::QueryField>& stored,
                             const std::vector<domain::QueryField>& wanted);

}  // namespace patra::infra::sql
