// `patra fuse`, `patra signal` and `patra heal`.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/heal_services.h"

namespace patra::adapter::cli {

struct SignalListCommand {
  std::string database;
  std::string status = "OPEN";
  int signals_max = 50;
  bool as_json = false;
};

struct HealCommand {
  std::string database;
  std::string source{};
  std::string since = "-1d";
  int entries_max = 50;
  std::string configuration{};
  bool as_json = false;
};

int RunFuseList(const std::string& database, bool as_json, HealServices& services,
                const Console& console);
int RunFuseReset(const TargetRequest& request, HealServices& services, const Console& console);
int RunSignalAdd(const SignalRequest& request, HealServices& services, const Console& console);
int RunSignalList(const SignalListCommand& command, HealServices& services, const Console& console);
int RunHealLog(const HealCommand& command, HealServices& services, const Console& console);
int RunHealRound(const HealCommand& command, HealServices& services, const Console& console);
int RunHealPolicy(const HealCommand& command, HealServices& services, const Console& console);
int RunHealAdjustments(const HealCommand& command, HealServices& services, const Console& console);
int RunHealRelease(const TargetRequest& request, HealServices& services, const Console& console);

}  // namespace patra::adapter::cli
