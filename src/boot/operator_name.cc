#include "boot/operator_name.h"

#include <cstdlib>

#include <unistd.h>

#include <fmt/format.h>

namespace patra::boot {

std::string OperatorName() {
  const char* name = std::getenv("USER");  // NOLINT(concurrency-mt-unsafe): before any thread
  return name != nullptr && *name != '\0' ? name : fmt::format("uid {}", getuid());
}

}  // namespace patra::boot
