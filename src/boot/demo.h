// The demonstration: a simulated provider, a harvest, a day in which its world moves on, another
// harvest, and after each a comparison with what the provider really has.
#pragma once

#include "adapter/cli/services.h"
#include "base/result.h"

namespace patra::boot {

Result<adapter::cli::DemoReport> RunDemo(const adapter::cli::DemoRequest& request,
                                         const adapter::cli::Services::OnDemoProgress& on_progress);

}  // namespace patra::boot
