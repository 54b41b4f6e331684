// Tells listeners what changes in the store: it looks while somebody listens, once for all of them.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "adapter/rest/event_feed.h"
#include "adapter/rest/services.h"

namespace patra::adapter::rest {

struct EventBounds {
  std::size_t listeners_max = 64;
  std::size_t events_kept = 256;  // for those who come back
  Duration look_every = std::chrono::seconds(1);
  Duration look_seldom = std::chrono::seconds(3);  // after nothing has changed for a while
  Duration status_every = std::chrono::seconds(5);
  Duration heartbeat_every = std::chrono::seconds(15);
};

// Thread-safe.
class EventHub {
 public:
  EventHub(Services& services, const Clock& clock, EventBounds bounds = {});
  ~EventHub() { Stop(); }
  EventHub(const EventHub&) = delete;
  EventHub& operator=(const EventHub&) = delete;

  // `heard` is the id of the last event that the listener has; empty: none. Who heard some and missed no more than is kept gets
  // those; everybody else how things are.
  Result<std::shared_ptr<EventFeed>> Listen(std::string_view heard);
  std::size_t listeners() const;
  // Ends all feeds.
  void Stop();

 private:
  struct Event {
    std::int64_t number = 0;
    std::string text;
  };

  void Run(const std::stop_token& stop);
  bool Look();  // whether something changed
  Result<bool> LookAtQueue();
  Result<bool> LookAtRuns();
  Result<bool> LookAtAlerts();
  Result<void> LookAtStatus();
  void Tell(std::string_view name, const std::string& json);
  void Beat();
  void Say(std::string_view text);
  std::string TextOf(std::int64_t number, std::string_view name, const std::string& json) const;

  Services& services_;
  const Clock& clock_;
  const EventBounds bounds_;
  const std::string epoch_;  // tells this hub's events from those of the process before it

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::shared_ptr<EventFeed>> feeds_;
  std::deque<Event> kept_;
  std::map<std::string, Event, std::less<>> newest_;  // of each name that tells how things are
  std::int64_t told_ = 0;
  bool is_stopped_ = false;

  // Of the thread that looks.
  std::string queue_seen_;
  std::string alerts_seen_;
  std::map<Id, std::string> runs_seen_;
  Duration status_at_{};

  std::jthread looks_;
};

}  // namespace patra::adapter::rest
