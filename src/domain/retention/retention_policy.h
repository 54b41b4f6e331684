// What a store keeps, for how long, and where what is older goes.
#pragma once

#include <string>

#include "base/time.h"

namespace patra::domain {

struct RetentionPolicy {
  std::string archive_dir{};  // empty: beside a store that is a file
  bool archive_daily = false;
  Duration archive_after = std::chrono::days(90);
  Duration archive_gathers = std::chrono::days(7);
  std::int64_t vault_max = 0;  // bytes; 0: any number
  bool vault_drops = false;
  bool gc_daily = false;
  // 0: for ever.
  Duration keep_changes = std::chrono::days(30);
  Duration keep_relay_log = std::chrono::days(30);
  Duration keep_audit = std::chrono::days(1095);
  Duration keep_heal_log = std::chrono::days(180);
  Duration keep_alerts = std::chrono::days(180);
  Duration keep_executions = std::chrono::days(30);
  Duration keep_answers = std::chrono::days(1);
  Duration keep_walks = std::chrono::days(7);
  Duration keep_refusals = std::chrono::days(180);
  Duration keep_signals = std::chrono::days(180);
  Duration keep_minutes = std::chrono::days(30);
  Duration keep_hours = std::chrono::days(90);
  Duration keep_rollup = std::chrono::days(180);
};

}  // namespace patra::domain
