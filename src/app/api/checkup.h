// What a look at everything that patra goes by has found, line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace patra::app {

struct CheckupLine {
  enum class Level {
    kOk,
    kWarn,   // it works, and should be looked into
    kWrong,  // something does not work, or records are at risk
  };
  Level level = Level::kOk;
  std::string topic;  // "disk"
  std::string said;
  std::string advice{};  // what to do; empty where all is well
};
std::string_view Name(CheckupLine::Level level);  // "warn"

using CheckupLines = std::vector<CheckupLine>;

}  // namespace patra::app
