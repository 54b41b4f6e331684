#include "boot/operator.h"

#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

namespace patra::boot {

std::string Operator() {
  const char* name = std::getenv("USER");  // NOLINT(concurrency-mt-unsafe): before any thread
  return name != nullptr && *name != '\0' ? name : fmt::format("uid {}", getuid());
}

}  // namespace patra::boot
