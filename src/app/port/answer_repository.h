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

class AnswerRepository {
 public:
  virtual ~AnswerRepository() = default;

  // What is there under that key; nothing where it was not, and is under way from now on. Answers that were asked for before
  // `kept_since` are gone, so many at a time.
  virtual Result<std::optional<StoredAnswer>> Begin(const std::string& key_hash,
                                                    const std::string& request_hash,
                                                    Instant kept_since) = 0;
  virtual Result<void> Finish(const std::string& key_hash, std::int64_t status,
                              const std::string& body) = 0;
  // As if it had never begun.
  virtual Result<void> Forget(const std::string& key_hash) = 0;
  // Those that are kept, counted up to that many.
  virtual Result<std::int64_t> Count(std::int64_t at_most) = 0;
};

}  // namespace patra::app
