// `patra signal` and `patra heal`.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/healing.h"
#include "app/api/operations.h"
#include "app/api/settings_report.h"
#include "app/api/signals.h"

namespace patra::adapter::cli {

struct SignalAddition {
  std::string target{};     // SOURCE/ENDPOINT
  domain::Signal signal{};  // of that endpoint
};

struct SignalListCommand {
  std::string status = "OPEN";
  int signals_max = 50;
  bool as_json = false;
};

struct HealCommand {
  std::string source{};
  std::string since = "-1d";
  int entries_max = 50;
  bool as_json = false;
};

struct AdjustmentRelease {
  app::AdjustmentTarget adjustment{};
  std::string reason{};
};

int RunSignalAdd(const SignalAddition& addition, app::Signals& signals, const Console& console);
int RunSignalList(const SignalListCommand& command, app::Signals& signals, const Console& console);
int RunHealLog(const HealCommand& command, app::Healing& healing, const Console& console);
int RunHealRound(const HealCommand& command, app::Operations& engine, const Console& console);
int RunHealAdjustments(const HealCommand& command, app::Healing& healing, const Console& console);
int RunHealRelease(const AdjustmentRelease& release, app::Healing& healing,
                   const domain::Actor& actor, const Console& console);

}  // namespace patra::adapter::cli
