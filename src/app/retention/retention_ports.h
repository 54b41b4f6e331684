// What retention stands on.
#pragma once

#include <string>

#include "app/port/archive_files.h"
#include "app/port/archive_store.h"
#include "app/port/duty_roster.h"
#include "app/port/forget_store.h"
#include "app/port/log.h"
#include "app/port/old_rows.h"
#include "app/port/outbox_repository.h"
#include "app/port/stop_request.h"
#include "base/clock.h"
#include "base/id.h"

namespace patra::app {

struct RetentionPorts {
  ArchiveStore& store;
  ArchiveFiles& files;
  OldRows& old_rows;
  ForgetStore& forgetting;
  OutboxRepository& outbox;
  DutyRoster& duties;
  IdGenerator& ids;
  Clock& clock;
  Log& log;
  const StopRequest& stop;
};

}  // namespace patra::app
