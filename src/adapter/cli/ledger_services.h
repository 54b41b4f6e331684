// What the commands that look at a store ask of the rest of patra; boot provides it.
#pragma once

#include <memory>
#include <string>

#include "contract/read_side.h"

namespace patra::adapter::cli {

class LedgerServices {
 public:
  virtual ~LedgerServices() = default;

  // kNotFound where there is no store yet.
  virtual Result<std::unique_ptr<contract::ReadSide>> OpenStore(const std::string& database) = 0;

  // Decisions of the person at the keyboard, audited.
  virtual Result<void> RequeueTask(const std::string& database, Id task,
                                   const std::string& reason) = 0;
  virtual Result<void> SetCursor(const std::string& database, const contract::CursorRow& cursor,
                                 const std::string& value, const std::string& reason) = 0;
};

}  // namespace patra::adapter::cli
