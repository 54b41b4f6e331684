// Which column of the registry holds which value of a definition.
#pragma once

#include <string_view>
#include <vector>

namespace patra::infra::sql {

// How a value of a definition becomes a column.
enum class ColumnKind {
  kText,
  kInteger,
  kNumber,
  kFlag,
  kCode,    // upper case in the table, lower case in the definition
  kMillis,  // a duration
  kTree,    // JSON
  kPairs,   // JSON list of [name, value]: a map whose order counts
};

struct MappedColumn {
  std::string_view column;
  std::string_view path;  // in the level
  ColumnKind kind = ColumnKind::kText;
};

struct MappedTable {
  std::string_view name;
  std::vector<MappedColumn> columns;
  std::string_view list{};  // one row per entry of this list or map; paths are within the entry
};

const std::vector<MappedTable>& RegistryMapping();

}  // namespace patra::infra::sql
