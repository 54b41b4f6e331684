// Where secrets are kept. They are looked up when a request needs them and live no longer than it does:
// no definition, snapshot or row holds one (I11).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::app {

// Thread-safe.
class Secrets {
 public:
  virtual ~Secrets() = default;

  // env:NAME or file:PATH, also written ${env:NAME} and ${file:PATH}. kNotFound where nothing is set
  // there. No message repeats a secret.
  virtual Result<std::string> Resolve(std::string_view reference) = 0;
};

// For sources that need none.
class NoSecrets final : public Secrets {
 public:
  Result<std::string> Resolve(std::string_view) override {
    return Fail(ErrorCode::kNotFound, "no secrets are kept here");
  }
};

}  // namespace patra::app
