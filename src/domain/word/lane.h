// Which provider, which of its record sets, and what is done with it: the unit of fairness among tasks.
#pragma once

#include <string>

#include "domain/word/operation.h"

namespace patra::domain {

struct Lane {
  std::string provenance;
  std::string endpoint;
  Operation operation = Operation::kHarvest;

  std::string Key() const;  // "crossref/works/HARVEST"
  friend bool operator==(const Lane&, const Lane&) = default;
};

}  // namespace patra::domain
