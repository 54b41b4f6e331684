#include "app/send/answer_book.h"

#include <algorithm>

namespace patra::app {

domain::AnswerTimes AnswerBook::Find(const std::string& endpoint) const {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(endpoint);
  return found == entries_.end() ? domain::AnswerTimes{} : found->second.times;
}

void AnswerBook::NoteAnswer(const std::string& endpoint, Duration took) {
  const std::scoped_lock lock(mutex_);
  auto& times = entries_[endpoint].times;
  ++times.answers;
  times.slowest = std::max(times.slowest, took);
  times.in_vain = 0;
}

void AnswerBook::NoteSilence(const std::string& endpoint, Duration sent_at, Duration now) {
  const std::scoped_lock lock(mutex_);
  auto& entry = entries_[endpoint];
  if (entry.silent_at && sent_at < *entry.silent_at) return;
  ++entry.times.in_vain;
  entry.silent_at = now;
}

}  // namespace patra::app
