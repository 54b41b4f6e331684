// What people write, without the secrets that definitions refer to: somebody who tells why a key was changed may write it there,
// also one that this process has never used.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "app/port/decision.h"
#include "app/port/definition_files.h"
#include "app/port/registry.h"
#include "app/port/secrets.h"
#include "app/send/redaction.h"
#include "base/clock.h"

namespace patra::app {

// Definitions in force, and those of the folder.
struct SecretMaskPorts {
  Registry& registry;
  DefinitionFiles& files;
  std::string sources_folder{};  // empty: none
  Secrets& secrets;
  Redactor& redactor;  // learns what is found
  const Clock& clock;
};

// Thread-safe.
class SecretMask {
 public:
  explicit SecretMask(SecretMaskPorts ports) : ports_(std::move(ports)) {}

  // Where definitions or secrets cannot be read, with what is known.
  std::string Mask(const std::string& text);
  Decision Decided(const domain::Actor& actor, const std::string& reason) {
    return {.actor = actor, .reason = Mask(reason)};
  }

 private:
  void LearnAll();

  const SecretMaskPorts ports_;
  std::mutex mutex_;  // guards what follows
  std::optional<Duration> learned_at_{};
};

}  // namespace patra::app
