// A hint that a record should be fetched again.
#pragma once

#include <string>

#include "base/id.h"

namespace patra::domain {

struct Signal {
  Id id = 0;
  std::string provenance;
  std::string endpoint;
  std::string item_id;
  std::string type;    // QUARANTINE, RETRACTION, MERGE, MISSING_FIELD or EXTERNAL
  std::string origin;  // who sent it
  std::string note;
};

}  // namespace patra::domain
