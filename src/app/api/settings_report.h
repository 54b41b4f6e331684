// A section of the configuration as it is set, for people.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/setting.h"

namespace patra::app {

struct SettingsReport {
  std::string configuration{};    // the file; empty: there is none
  std::vector<Error> problems{};  // in it
  std::vector<domain::Setting> settings{};
};

}  // namespace patra::app
