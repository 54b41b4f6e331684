#include "boot/open_store.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/random.h"
#include "boot/store_address.h"

namespace patra::boot {

OpenStore::OpenStore() : ids(clock, HashText(fmt::format("command {}", getpid()))) {}

Result<std::unique_ptr<OpenStore>> OpenStore::At(const std::string& database) {
  const auto file = PATRA_TRY(ExistingFile(database));
  auto open = std::make_unique<OpenStore>();
  open->store = PATRA_TRY(infra::sqlite::Store::Open({.path = file}, open->clock));
  return open;
}

}  // namespace patra::boot
