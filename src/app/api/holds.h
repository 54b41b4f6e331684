// Pauses and fuses: what keeps a source back, and how it goes on. `target` is SOURCE or SOURCE/ENDPOINT everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/actor.h"
#include "domain/word/hold.h"

namespace patra::app {

struct PauseRequest {
  std::string target{};
  std::string reason{};
  std::optional<std::string> until{};  // a moment; none: until it is resumed
};

class Holds {
 public:
  virtual ~Holds() = default;

  virtual Result<void> Pause(const PauseRequest& request, const domain::Actor& actor) = 0;
  // Whether it was paused.
  virtual Result<bool> Resume(const std::string& target, const std::string& reason,
                              const domain::Actor& actor) = 0;

  // Newest first.
  virtual Result<std::vector<domain::Fuse>> Fuses(const domain::FuseFilter& filter) = 0;
  virtual Result<void> ResetFuse(const std::string& target, const std::string& reason,
                                 const domain::Actor& actor) = 0;
};

}  // namespace patra::app
