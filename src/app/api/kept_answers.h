// Requests that may be sent again: under one key, the same request is done once and answered the same each time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

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

struct RepeatBegun {
  std::optional<KeptAnswer>
      before{};                // that was given then; none: the caller has to do it, and to end it
  bool is_taken_over = false;  // somebody who died had begun with it, and may have done it
};

// What is under way belongs to this process as long as it says so now and then.
inline constexpr Duration kUnderWayFor = std::chrono::minutes(2);
inline constexpr Duration kKeepAliveEvery = std::chrono::seconds(20);

class KeptAnswers {
 public:
  virtual ~KeptAnswers() = default;

  // An error where another request has that key (kInvalidInput), or the same one is under way (kConflict).
  virtual Result<RepeatBegun> Begin(const RepeatableRequest& request) = 0;
  // To be asked every kKeepAliveEvery, for all that is under way here.
  virtual Result<void> KeepAlive() = 0;
  virtual Result<void> Finish(const RepeatableRequest& request, const KeptAnswer& answer) = 0;
  // Nothing was done: the next one is the first.
  virtual Result<void> Forget(const RepeatableRequest& request) = 0;
};

}  // namespace patra::app
