#pragma once

#include "app/port/machine.h"

namespace patra::infra::machine {

// Stateless, so threads may share it.
class SystemMachine final : public app::Machine {
 public:
  Result<app::DiskRoom> RoomAt(const std::string& path) override;
  Result<bool> IsOpenToOthers(const std::string& path) override;
  Result<std::string> Read(const std::string& path) override;
  std::optional<bool> IsClockKept() override;
  std::int64_t OpenFilesMax() override;
};

}  // namespace patra::infra::machine
