#include "app/port/registry.h"

#include <fmt/format.h>

namespace patra::app {

std::string RegistryChange::Describe() const {
  if (before.empty()) return fmt::format("{}: {} (new)", where, after);
  if (after.empty()) return fmt::format("{}: {} (gone)", where, before);
  return fmt::format("{}: {} -> {}", where, before, after);
}

}  // namespace patra::app
