#include "boot/optional_secret.h"

#include <cstdlib>

#include <fmt/format.h>

#include "infra/secrets/system_secrets.h"

namespace patra::boot {

Result<std::string> OptionalSecret(const std::string& name) {
  auto secret = infra::secrets::SystemSecrets().Resolve("env:" + name);
  if (secret) return secret;
  const auto variable = name + "_FILE";
  const char* file = std::getenv(variable.c_str());  // NOLINT(concurrency-mt-unsafe): nobody writes
  const bool names_file = file != nullptr && *file != '\0';
  if (secret.error().code == ErrorCode::kNotFound && !names_file) return std::string();
  if (!names_file) return secret;
  return Fail(
      secret.error().code == ErrorCode::kNotFound ? ErrorCode::kInvalidInput : secret.error().code,
      fmt::format("{} names {}, which cannot be read or is empty", variable, file), {},
      "its first line is the password");
}

}  // namespace patra::boot
