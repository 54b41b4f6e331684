// How the parts of a service do, as probes and people ask for it.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace patra::app {

struct PartHealth {
  std::string part;                  // "scheduler"
  std::optional<Instant> done_at{};  // its last round that came to its end
  std::optional<Error> error{};      // of its last round; none where that was well
  std::optional<Instant> failing_since{};
};

// Thread-safe.
class ServiceHealth {
 public:
  explicit ServiceHealth(const Clock& clock) : clock_(clock) {}

  void Well(const std::string& part);
  void Failing(const std::string& part, const Error& error);
  // It is not run any more.
  void Forget(const std::string& part);

  std::vector<PartHealth> Parts() const;  // by name

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, PartHealth> parts_;
};

}  // namespace patra::app
