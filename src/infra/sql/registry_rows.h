// A definition as rows of the reg_* tables, and back. Which key is which column is one table in the
// .cc file, read in both directions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "domain/spec/definition.h"

namespace patra::infra::sql {

struct RegistryRow {
  std::string table;
  std::string provenance;
  std::string endpoint = "*";            // '*': the source's own level
  std::string operation = "ALL";         // or HARVEST, BACKFILL, UPDATE
  std::string item;                      // where a level has several rows
  std::map<std::string, Value> columns;  // absent ones are NULL

  // What makes two rows versions of the same thing.
  auto Identity() const { return std::tie(table, provenance, endpoint, operation, item); }
};

struct RegistryTable {
  std::string_view name;
  std::vector<std::string_view> columns;
};

// All tables with their columns, but for those that all have.
const std::vector<RegistryTable>& RegistryTables();

std::vector<RegistryRow> RowsOf(const domain::DefinitionNode& definition);

// REQUIRES: all rows are of one source, in the order in which they were written
domain::DefinitionNode DefinitionOf(std::vector<RegistryRow> rows);

// The rows of one source as a text, and back.
std::string JsonOfRows(const std::vector<RegistryRow>& rows);
Result<std::vector<RegistryRow>> RowsFromJson(const std::string& source, std::string_view json);

}  // namespace patra::infra::sql
