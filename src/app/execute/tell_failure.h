// A request that failed for good, as the log tells it: enough to find out why, without the answer itself.
#pragma once

#include "app/execute/fetch_page.h"

namespace patra::app {

// Nothing where there is no page for another reason: what is tried again later, or was left, is no news.
void TellFailure(Log& log, const FetchScope& scope, const NoPage& none, int batch_no);

}  // namespace patra::app
