// Tasks that this process meant to take and somebody else took: told for whoever counts them.
#pragma once

#include "app/port/log.h"
#include "app/port/task_queue.h"

namespace patra::app {

// `log` may be null.
void TellLostClaims(TaskQueue& queue, Log* log);

}  // namespace patra::app
