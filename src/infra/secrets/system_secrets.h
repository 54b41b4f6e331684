#pragma once

#include "app/port/secrets.h"

namespace patra::infra::secrets {

// The environment and files of this machine. A line break at the end is cut off, since editors and `echo`
// put one there; an empty secret is none. Where NAME is not set and NAME_FILE is, the secret is in that file,
// as containers like to have it. Thread-safe while nobody changes the environment.
class SystemSecrets final : public app::Secrets {
 public:
  static constexpr std::size_t kBytesMax = 64u << 10;

  Result<std::string> Resolve(std::string_view reference) override;
};

}  // namespace patra::infra::secrets
