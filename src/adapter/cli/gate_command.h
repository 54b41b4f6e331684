// `patra gate`: what the rate gate remembers, and how to end a stop by hand.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/gate_keys.h"

namespace patra::adapter::cli {

int RunGateList(bool as_json, app::GateKeys& gate, const Console& console);
int RunGateShow(const std::string& key, bool as_json, app::GateKeys& gate, const Console& console);

struct GateReset {
  std::string key{};
  std::string reason{};
};
int RunGateReset(const GateReset& reset, app::GateKeys& gate, const domain::Actor& actor,
                 const Console& console);

}  // namespace patra::adapter::cli
