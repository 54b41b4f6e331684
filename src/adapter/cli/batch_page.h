// One page on which everything stands that is known of a batch.
#pragma once

#include "adapter/cli/console.h"
#include "contract/batch_account.h"

namespace patra::adapter::cli {

void PrintBatchPage(const contract::BatchAccount& account, const Console& console);

}  // namespace patra::adapter::cli
