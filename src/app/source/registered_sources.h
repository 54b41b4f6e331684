// The registry's definitions, as planners keep them: a source is read and decoded when it has changed, not for each plan.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "app/port/registry.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::app {

// Null where there is no such source.
using SharedDefinition = std::shared_ptr<const domain::DefinitionNode>;
using SharedCodes = std::shared_ptr<const domain::CodeDictionary>;

// Thread-safe. Holds a lock while it looks one up, not while one is read.
class RegisteredSources {
 public:
  static constexpr std::size_t kSourcesMax = 1'000;
  // After that it is read anew whatever its version: somebody may have changed rows by hand.
  static constexpr Duration kKeptMax = std::chrono::minutes(1);

  explicit RegisteredSources(Registry& registry, std::size_t sources_max = kSourcesMax)
      : registry_(registry), sources_max_(sources_max) {}

  // As it is valid at that moment. The registry is asked each time whether it has changed.
  Result<SharedDefinition> Find(const std::string& source, Instant at);

  // The dictionary has no version: it is read anew after a while.
  Result<SharedCodes> Codes(Instant at);

 private:
  struct Kept {
    std::string version{};
    SharedDefinition definition{};
    Instant from{};   // read at this moment
    Instant until{};  // another one may be valid from here on
  };

  Kept Look(const std::string& source, Instant at);

  Registry& registry_;
  const std::size_t sources_max_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, Kept> by_source_;
  SharedCodes codes_;
  Instant codes_from_{};
};

}  // namespace patra::app
