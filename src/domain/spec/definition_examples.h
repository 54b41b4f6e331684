// Definitions to learn from, from the simplest to one that says nearly everything. They ask the provider simulator, so that each
// can be tried, and a test harvests with each.
#pragma once

#include <span>
#include <string_view>

namespace patra::domain {

struct DefinitionExample {
  std::string_view title;
  std::string_view about;  // what it shows, in a sentence or two
  std::string_view yaml;
};

// To read in their order.
std::span<const DefinitionExample> FirstDefinitions();

// One for each way of paging; the title is the style and what is special about it.
std::span<const DefinitionExample> PagingDefinitions();

}  // namespace patra::domain
