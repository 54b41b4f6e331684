// Answers to requests that may come again, by the hash of who asks and under which key.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct StoredAnswer {
  std::string request_hash{};
  std::optional<std::int64_t> status{};  // none while it is under way
  std::string body{};
};

// Who wants to begin with a request, and until when it is theirs unless they say that they are still at it.
struct AnswerClaim {
  std::string key_hash{};
  std::string request_hash{};
  std::string owner{};  // a process
  Instant until{};
};

struct AnswerBegun {
  std::optional<StoredAnswer> before{};  // none: the claim holds, it is under way from now on
  bool is_taken_over = false;            // another had begun with it, and is not heard of any more
};

class AnswerRepository {
 public:
  virtual ~AnswerRepository() = default;

  // Answers that were asked for before `kept_since` are gone, so many at a time.
  virtual Result<AnswerBegun> Begin(const AnswerClaim& claim, Instant kept_since) = 0;
  // Nothing happens where it is not the owner's any more.
  virtual Result<void> KeepAlive(const std::string& key_hash, const std::string& owner,
                                 Instant until) = 0;
  virtual Result<void> Finish(const std::string& key_hash, const std::string& owner,
                              std::int64_t status, const std::string& body) = 0;
  // As if it had never begun.
  virtual Result<void> Forget(const std::string& key_hash, const std::string& owner) = 0;
  // Those that are kept, counted up to that many.
  virtual Result<std::int64_t> Count(std::int64_t at_most) = 0;
};

}  // namespace patra::app
