// The service: opens the store, takes up its roles, and goes on until it is told to end.
#pragma once

#include "adapter/cli/services.h"

namespace patra::boot {

Result<adapter::cli::ServeReport> Serve(const adapter::cli::ServeRequest& request,
                                        const adapter::cli::Services::OnServing& on_serving);

}  // namespace patra::boot
