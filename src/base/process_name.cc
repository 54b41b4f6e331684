#include "base/process_name.h"

#include <unistd.h>

#include <atomic>

#include <fmt/format.h>

namespace patra {

std::string NewProcessName(const Clock& clock) {
  static std::atomic<int> named = 0;
  return fmt::format("{}@{}/{}", getpid(), clock.Now().time_since_epoch().count(), ++named);
}

}  // namespace patra
