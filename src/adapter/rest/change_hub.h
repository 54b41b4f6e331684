// Tells listeners what became of records, each from the place where it stands: it looks while somebody listens.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "adapter/rest/event_feed.h"
#include "adapter/rest/event_hub.h"
#include "adapter/rest/services.h"

namespace patra::adapter::rest {

// Thread-safe.
class ChangeHub {
 public:
  ChangeHub(Services& services, const Clock& clock, EventBounds bounds = {});
  ~ChangeHub() { Stop(); }
  ChangeHub(const ChangeHub&) = delete;
  ChangeHub& operator=(const ChangeHub&) = delete;

  // `after` as app::Changes takes it.
  Result<std::shared_ptr<EventFeed>> Listen(const std::string& after,
                                            const contract::ChangeFilter& filter);
  // Ends all feeds.
  void Stop();

 private:
  struct Listener {
    std::shared_ptr<EventFeed> feed;
    std::string after;
    contract::ChangeFilter filter;
  };

  void Run(const std::stop_token& stop);
  // Until there is nothing new, or no more room.
  void Tell(Listener& listener);

  Services& services_;
  const Clock& clock_;
  const EventBounds bounds_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Listener> listeners_;
  std::list<Listener> arrived_;  // that the thread has not met yet
  bool is_stopped_ = false;

  std::jthread looks_;
};

}  // namespace patra::adapter::rest
