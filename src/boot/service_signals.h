// SIGINT, SIGTERM and SIGHUP as things that a service waits for, so that what it does about them may take locks.
#pragma once

#include <signal.h>

#include <optional>

#include "base/time.h"

namespace patra::boot {

// REQUIRES: no other thread runs yet; those that are started later take over that they are not interrupted.
class ServiceSignals {
 public:
  ServiceSignals();
  ~ServiceSignals();
  ServiceSignals(const ServiceSignals&) = delete;
  ServiceSignals& operator=(const ServiceSignals&) = delete;

  // The next one, if one comes in that time.
  std::optional<int> Wait(Duration most) const;

 private:
  sigset_t ours_{};
  sigset_t before_{};
};

}  // namespace patra::boot
