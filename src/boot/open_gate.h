// The one place that knows what can keep a rate gate's state.
#pragma once

#include <memory>
#include <string>

#include "app/port/rate_gate.h"
#include "app/port/store.h"
#include "base/clock.h"
#include "boot/open_store.h"

namespace patra::boot {

// `url` names a Redis; empty: a file beside the store. An address that is wrong, and a Redis that does not accept us, are
// errors; one that does not answer is not.
Result<std::unique_ptr<app::RateGate>> OpenGate(const std::string& url, const StoreAddress& address,
                                                app::Store& store, const Clock& clock);

// Whose requests such a gate counts, without opening it.
std::string CountsOfGate(const std::string& url, const StoreAddress& address);

}  // namespace patra::boot
