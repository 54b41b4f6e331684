// What this process knows about how long endpoints take to answer.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "domain/error/patience.h"

namespace patra::app {

// Thread-safe. As large as the definitions that are in use.
class AnswerBook {
 public:
  domain::AnswerTimes Find(const std::string& endpoint) const;

  void NoteAnswer(const std::string& endpoint, Duration took);

  // None came for a request that was sent then, as long as anybody waited for it. Requests that waited at the same time say
  // it once.
  void NoteSilence(const std::string& endpoint, Duration sent_at, Duration now);

 private:
  struct Entry {
    domain::AnswerTimes times;
    std::optional<Duration> silent_at;  // when it was last noted
  };

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace patra::app
