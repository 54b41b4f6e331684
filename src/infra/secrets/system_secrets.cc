#include "infra/secrets/system_secrets.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

namespace patra::infra::secrets {
namespace {

std::unexpected<Error> NotSet(std::string_view reference) {
  return Fail(ErrorCode::kNotFound, fmt::format("{} is not set", reference));
}

Result<std::string> Checked(std::string secret, std::string_view reference) {
  if (secret.ends_with('\n')) secret.pop_back();
  if (secret.ends_with('\r')) secret.pop_back();
  if (secret.empty()) return NotSet(reference);
  if (secret.size() > SystemSecrets::kBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("{} is larger than {} bytes", reference, SystemSecrets::kBytesMax));
  }
  const auto is_control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; };
  if (std::ranges::any_of(secret, is_control)) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} has a line break or another control character in it", reference));
  }
  return secret;
}

Result<std::string> FromFile(const std::string& path, std::string_view reference) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return NotSet(reference);
  // One byte more than allowed tells that there is more; a folder reads as an error.
  std::string secret(SystemSecrets::kBytesMax + 3, '\0');
  file.read(secret.data(), static_cast<std::streamsize>(secret.size()));
  if (file.bad())
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} cannot be read", reference));
  secret.resize(static_cast<std::size_t>(file.gcount()));
  return Checked(std::move(secret), reference);
}

// Empty is as good as absent. Reading is safe as long as nobody writes, and patra sets no variables.
std::string Variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : value;
}

Result<std::string> FromEnvironment(const std::string& name, std::string_view reference) {
  if (auto secret = Variable(name); !secret.empty()) return Checked(std::move(secret), reference);
  if (const auto path = Variable(name + "_FILE"); !path.empty()) return FromFile(path, reference);
  return NotSet(reference);
}

}  // namespace

Result<std::string> SystemSecrets::Resolve(std::string_view reference) {
  auto text = reference;
  if (text.starts_with("${") && text.ends_with('}')) text = text.substr(2, text.size() - 3);
  const auto colon = text.find(':');
  const auto kind = text.substr(0, colon);
  const std::string where(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  const bool is_sound = !where.empty() && where.find('\0') == std::string::npos;
  if (is_sound && kind == "env") return FromEnvironment(where, text);
  if (is_sound && kind == "file") return FromFile(where, text);
  // Not repeated: somebody may have written the secret itself.
  return Fail(ErrorCode::kInvalidInput, "this is no reference to a secret", {},
              "write ${env:NAME} or ${file:PATH}");
}

}  // namespace patra::infra::secrets
