// `patra verify`: the completeness certificate.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapter/cli/console.h"
#include "app/api/operations.h"
#include "app/api/verification.h"

namespace patra::adapter::cli {

struct VerifyCommand {
  app::VerifyRequest request{};
  bool as_json = false;
  bool repair = false;                   // plan what is missing
  std::vector<std::string> overrides{};  // of that
};

// Only who repairs needs one.
using OpenEngine = std::function<Result<std::shared_ptr<app::Operations>>()>;

// kComplete where everything is proven, kQuarantined where it is but for records in quarantine, kFailed with
// gaps.
int RunVerify(const VerifyCommand& command, app::Verification& verification,
              const OpenEngine& open_engine, const Console& console);

}  // namespace patra::adapter::cli
