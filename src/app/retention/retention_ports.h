// What retention stands on.
#pragma once

#include <string>

#include "app/port/archive_files.h"
#include "app/port/archive_store.h"
#include "app/port/duty_roster.h"
#include "app/port/log.h"
#include "app/port/stop_request.h"
#include "base/clock.h"
#include "base/id.h"

namespace patra::app {

struct RetentionPorts {
  ArchiveStore& store;
  ArchiveFiles& files;
  DutyRoster& duties;
  IdGenerator& ids;
  Clock& clock;
  Log& log;
  const StopRequest& stop;
};

}  // namespace patra::app
