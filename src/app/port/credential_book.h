// Which stores of this user on this machine send with which credentials. Each store has a gate of its own, so that two that
// use one credential add up at the provider: people have to know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

// A credential of this store that is used under another name, or by another store, too.
struct SharedCredential {
  std::string credential;  // "crossref#KEY", as this store calls it
  std::string store;       // the other one's file; empty where this one has two names for it
  std::string other_name;  // as it is called there
  Instant used_at;         // by it
};

// Thread-safe.
class CredentialBook {
 public:
  virtual ~CredentialBook() = default;

  // That this store sends with it, to that host. Of the secret only a hash is kept.
  virtual Result<void> Note(const std::string& credential, const std::string& host,
                            std::string_view secret) = 0;

  // Within the last day.
  virtual Result<std::vector<SharedCredential>> Shared() = 0;
};

}  // namespace patra::app
