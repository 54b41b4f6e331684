// Who asks for something, and by which way. Every change by hand is audited with it.
#pragma once

#include <array>
#include <string>

#include "domain/word/codes.h"

namespace patra::domain {

enum class Way { kCommandLine, kPlanner, kHealing, kScheduler, kApi };
constexpr auto CodesOf(Way) {
  using enum Way;
  return std::to_array<Coded<Way>>({{kCommandLine, "COMMAND_LINE"},
                                    {kPlanner, "PLANNER"},
                                    {kHealing, "HEALING"},
                                    {kScheduler, "SCHEDULER"},
                                    {kApi, "API"}});
}

struct Actor {
  std::string name;
  Way way = Way::kCommandLine;
};

}  // namespace patra::domain
