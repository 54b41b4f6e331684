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

// The one column whose text is bytes, which MySQL does not put into JSON as they are.
inline constexpr std::string_view kLifecycleColumn = "lifecycle_status_code";

struct MappedColumn {
  std::string_view column;
  std::string_view path;  // in the level
  ColumnKind kind = ColumnKind::kText;
  std::string_view unsaid{};  // stands in the table where a definition says nothing
};

struct MappedTable {
  std::string_view name;
  std::vector<MappedColumn> columns;
  std::string_view list{};  // one row per entry of this list or map; paths are within the entry
};

const std::vector<MappedTable>& RegistryMapping();

}  // namespace patra::infra::sql
