// What each connection is doing, and since when: whoever takes too long over it is hung up on. The library below counts
// idleness only, so that one byte a second would keep a connection for ever.
#pragma once

#include <mutex>
#include <unordered_map>

#include "base/clock.h"

namespace patra::adapter::rest {

struct ConnectionDeadlines {
  Duration request =
      std::chrono::seconds(30);  // until its first line is here, and from then until all of it is
  Duration answer = std::chrono::seconds(60);  // until it was taken
};

// Thread-safe.
class Connections {
 public:
  enum class Doing {
    kAsking,     // between requests, or within one
    kAnswering,  // is ours to answer: no deadline of the caller's
    kTaking,     // is being sent what we said
    kListening,  // to a feed, which ends when a write fails
  };

  Connections(const Clock& clock, ConnectionDeadlines deadlines)
      : clock_(clock), deadlines_(deadlines) {}

  void Opened(const void* connection, int socket);
  void Closed(const void* connection);
  void Begins(const void* connection, Doing doing);

  // Hangs up on those that are past their deadline; how many.
  int HangUp();
  std::size_t count() const;

 private:
  struct State {
    int socket = -1;
    Doing doing = Doing::kAsking;
    Duration since{};
  };

  const Clock& clock_;
  const ConnectionDeadlines deadlines_;
  mutable std::mutex mutex_;
  std::unordered_map<const void*, State> open_;
};

}  // namespace patra::adapter::rest
