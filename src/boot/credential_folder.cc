#include "boot/credential_folder.h"

#include <cstdlib>

#include "infra/gate/credential_book.h"

namespace patra::boot {

std::string UsersCredentialFolder() {
  const auto* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  return infra::gate::CredentialFolder(runtime == nullptr ? "" : runtime);
}

}  // namespace patra::boot
