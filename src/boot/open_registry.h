// The registry of another machine, where one is named.
#pragma once

#include <memory>
#include <string>

#include "app/port/registry.h"
#include "base/clock.h"

namespace patra::boot {

// Null where the address is empty. The clock outlives it.
Result<std::shared_ptr<app::Registry>> OpenRegistry(const std::string& url,
                                                    const std::string& token, const Clock& clock);

}  // namespace patra::boot
