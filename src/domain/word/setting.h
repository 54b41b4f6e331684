#pragma once

#include <string>

namespace patra::domain {

// One setting of the configuration, for people.
struct Setting {
  std::string name;   // "recut.slice_time_max"
  std::string value;  // as the configuration would write it
  std::string usual;  // the default, written alike
  std::string doc;
  std::string origin{};  // what set it, such as "patra.yaml:3"; empty: it is the default
};

}  // namespace patra::domain
