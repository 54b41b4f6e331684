#pragma once

#include "adapter/cli/ledger_services.h"

namespace patra::boot {

// What the command line can ask of a store.
class LedgerApplication final : public adapter::cli::LedgerServices {
 public:
  Result<std::unique_ptr<contract::ReadSide>> OpenStore(const std::string& database) override;
  Result<void> RequeueTask(const std::string& database, Id task,
                           const std::string& reason) override;
  Result<void> SetCursor(const std::string& database, const contract::CursorRow& cursor,
                         const std::string& value, const std::string& reason) override;
};

}  // namespace patra::boot
