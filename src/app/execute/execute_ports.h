// What running a task needs of the world, beside the way to the provider (fetch_page.h).
#pragma once

#include "app/port/hold_repository.h"
#include "app/port/id_ledger.h"
#include "app/port/log.h"
#include "app/port/run_ledger.h"
#include "app/port/stop_request.h"
#include "base/clock.h"

namespace patra::app {

struct ExecutePorts {
  RunLedger& ledger;
  IdLedger& ids;
  HoldRepository& holds;
  Clock& clock;
  Log& log;
  const StopRequest& stop;
};

}  // namespace patra::app
