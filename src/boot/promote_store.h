#pragma once

#include <string>

#include "adapter/cli/services.h"

namespace patra::boot {

Result<contract::StorePromotion> PromoteStore(
    const adapter::cli::PromotionRequest& request,
    const adapter::cli::Services::OnPromotion& on_progress);

// What the store was being moved to.
Result<std::string> GiveUpPromotion(const std::string& database);

}  // namespace patra::boot
