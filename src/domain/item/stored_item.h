#pragma once

#include <optional>
#include <string>

#include "base/id.h"
#include "domain/item/overwrite.h"

namespace patra::domain {

// What is stored under one id.
struct StoredItem {
  Id row = 0;
  ItemVersion version;
  Id batch = 0;            // that brought this version
  Instant refreshed_at{};  // looked at last
  bool is_missed = false;  // deleted because a list named it no more; whoever names it again has it
  std::optional<std::string> merged_into{};
  // Canonical JSON, and what says how old kept values are (kept_fields.h). A reader may leave both out.
  std::string fields{};
  std::optional<std::string> kept{};
};

}  // namespace patra::domain
