// `patra quarantine`: what could not be taken in, and what people decide about it.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/quarantine.h"

namespace patra::adapter::cli {

struct QuarantineListing {
  domain::QuarantineFilter filter{};
  std::string target{};  // SOURCE or SOURCE/ENDPOINT
  std::string status = "OPEN";
  bool counts = false;
  int entries_max = 50;
  bool as_json = false;
};

struct QuarantineDecision {
  app::QuarantineRequest request{};
  std::vector<std::string> ids{};
  std::string target{};
  std::string fields_file{};
  bool as_json = false;
};

int RunQuarantineList(const QuarantineListing& listing, app::Quarantine& quarantine,
                      const Console& console);
int RunQuarantineShow(const std::string& id, bool as_json, app::Quarantine& quarantine,
                      const Console& console);
int RunQuarantineDecide(QuarantineDecision decision, app::Quarantine& quarantine,
                        const domain::Actor& actor, const Console& console);

}  // namespace patra::adapter::cli
