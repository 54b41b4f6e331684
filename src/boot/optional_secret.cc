#include "boot/optional_secret.h"

#include "infra/secrets/system_secrets.h"

namespace patra::boot {

Result<std::string> OptionalSecret(const std::string& name) {
  auto secret = infra::secrets::SystemSecrets().Resolve("env:" + name);
  if (!secret && secret.error().code == ErrorCode::kNotFound) return std::string();
  return secret;
}

}  // namespace patra::boot
