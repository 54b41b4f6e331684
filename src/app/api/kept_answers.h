// Requests that may be sent again: under one key, the same request is done once and answered the same each time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::app {

struct KeptAnswer {
  int status = 0;
  std::string body{};
};

struct RepeatableRequest {
  std::string caller{};
  std::string key{};   // of the caller's choice
  std::string text{};  // all of what is asked
};

class KeptAnswers {
 public:
  virtual ~KeptAnswers() = default;

  // The answer that was given before; nothing where this is the first time, and the caller has to end it. An error where
  // another request has that key (kInvalidInput), or the same one is under way (kConflict).
  virtual Result<std::optional<KeptAnswer>> Begin(const RepeatableRequest& request) = 0;
  virtual Result<void> Finish(const RepeatableRequest& request, const KeptAnswer& answer) = 0;
  // Nothing was done: the next one is the first.
  virtual Result<void> Forget(const RepeatableRequest& request) = 0;
};

}  // namespace patra::app
