// `patra quarantine`: what could not be taken in, and what people decide about it.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/heal_services.h"

namespace patra::adapter::cli {

struct QuarantineListing {
  std::string database;
  domain::QuarantineFilter filter{};
  std::string target{};  // SOURCE or SOURCE/ENDPOINT
  std::string status = "OPEN";
  bool counts = false;
  int entries_max = 50;
  bool as_json = false;
};

struct QuarantineDecision {
  QuarantineRequest request{};
  std::vector<std::string> ids{};
  std::string target{};
  std::string fields_file{};
  bool as_json = false;
};

int RunQuarantineList(const QuarantineListing& listing, HealServices& services,
                      const Console& console);
int RunQuarantineShow(const std::string& database, const std::string& id, bool as_json,
                      HealServices& services, const Console& console);
int RunQuarantineDecide(QuarantineDecision decision, HealServices& services,
                        const Console& console);
int RunReleaseId(const TargetRequest& request, HealServices& services, const Console& console);

}  // namespace patra::adapter::cli
