#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "domain/gate/gate_decision.h"

namespace patra::infra::redis {

// The cells that are read and written together. Two scopes may mean the same one.
struct CellSet {
  std::vector<std::string> names;
  std::array<int, domain::kScopes> of{};  // the scopes' indexes among the names; -1: not needed

  static CellSet Of(const domain::GateTarget& target, const domain::GateRules& rules) {
    CellSet set;
    set.of.fill(-1);
    for (const auto scope : rules.Scopes()) {
      auto name = domain::GateKey(scope, target);
      std::size_t index = 0;
      while (index < set.names.size() && set.names[index] != name) ++index;
      if (index == set.names.size()) set.names.push_back(std::move(name));
      set.of[static_cast<std::size_t>(scope)] = static_cast<int>(index);
    }
    return set;
  }

  static CellSet OfOne(std::string name) {
    CellSet set{.names = {std::move(name)}};
    set.of.fill(-1);
    set.of[0] = 0;
    return set;
  }

  // The cells are in the order of the names.
  domain::GateCells Bind(std::span<domain::GateCell> cells) const {
    domain::GateCells bound;
    for (std::size_t scope = 0; scope < of.size(); ++scope) {
      if (of[scope] >= 0) bound.of[scope] = &cells[static_cast<std::size_t>(of[scope])];
    }
    return bound;
  }
};

}  // namespace patra::infra::redis
