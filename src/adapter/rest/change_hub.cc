#include "adapter/rest/change_hub.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapter/rest/json_text.h"

namespace patra::adapter::rest {
namespace {

constexpr int kChangesAtOnce = 200;
// As much as so many changes may need: an id has 1,000 characters at most, and may be escaped.
constexpr std::size_t kRoomForThem = std::size_t{512} * 1024;
constexpr int kPagesAtOnce = 20;
constexpr std::string_view kHeartbeatLine = ":\n\n";

std::string EventOf(const contract::ChangeRow& row) {
  std::string json;
  AppendJson(FactsOf(row), json, Marks::kKeep);
  return fmt::format("id: {}\nevent: change\ndata: {}\n\n", row.place.Text(), json);
}

}  // namespace

ChangeHub::ChangeHub(Services& services, const Clock& clock, EventBounds bounds)
    : services_(services), clock_(clock), bounds_(bounds) {}

Result<std::shared_ptr<EventFeed>> ChangeHub::Listen(const std::string& after,
                                                     const contract::ChangeFilter& filter) {
  // What is wrong with the place is the answer, while there is one to give.
  const auto first = PATRA_TRY(services_.desk_for_changes().changes().After(after, filter, 1));
  const std::lock_guard lock(mutex_);
  std::erase_if(arrived_, [](const Listener& one) { return one.feed->is_over(); });
  if (is_stopped_ || listeners_.size() + arrived_.size() >= bounds_.listeners_max) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} listen already", listeners_.size() + arrived_.size()), {},
                "wait until one hangs up, or ask for pages instead");
  }
  auto feed = std::make_shared<EventFeed>();
  feed->Push("retry: 3000\n\n");
  const bool begins_here = after == "end";
  arrived_.push_back({feed, begins_here ? first.place.Text() : after, filter});
  if (!looks_.joinable()) looks_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  changed_.notify_all();
  return feed;
}

void ChangeHub::Stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    for (const auto* all : {&listeners_, &arrived_}) {
      for (const auto& listener : *all) listener.feed->End();
    }
  }
  looks_.request_stop();
  changed_.notify_all();
  if (looks_.joinable()) looks_.join();
}

void ChangeHub::Run(const std::stop_token& stop) {
  auto heartbeat_at = clock_.Elapsed();
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !listeners_.empty() || !arrived_.empty(); });
      listeners_.splice(listeners_.end(), arrived_);
    }
    // Only this thread takes listeners away, and nobody else looks into them.
    const bool is_heartbeat = clock_.Elapsed() - heartbeat_at >= bounds_.heartbeat_every;
    if (is_heartbeat) heartbeat_at = clock_.Elapsed();
    for (auto& listener : listeners_) {
      if (stop.stop_requested()) return;
      if (is_heartbeat) {
        listener.feed->Beat(clock_.Elapsed());
        listener.feed->Push(kHeartbeatLine);
      }
      Tell(listener);
    }
    std::unique_lock lock(mutex_);
    std::erase_if(listeners_, [](const Listener& one) { return one.feed->is_over(); });
    changed_.wait_for(lock, stop, bounds_.look_every, [this] { return !arrived_.empty(); });
  }
}

// Where the store is away, it hears nothing but heartbeats until it is back.
void ChangeHub::Tell(Listener& listener) {
  for (int page = 0; page < kPagesAtOnce; ++page) {
    if (listener.feed->is_over() || !listener.feed->HasRoom(kRoomForThem)) return;
    const auto changes = services_.desk_for_changes().changes().After(
        listener.after, listener.filter, kChangesAtOnce);
    if (!changes && changes.error().code == ErrorCode::kNotFound) {
      listener.feed->Push(fmt::format("event: gone\ndata: {}\n\n",
                                      JsonOf(Value::Object{{"detail", changes.error().message},
                                                           {"hint", changes.error().hint}})));
      listener.feed->End();
    }
    if (!changes) return;
    for (const auto& row : changes->changes) listener.feed->Push(EventOf(row));
    listener.after = changes->place.Text();
    if (!changes->has_more) return;
  }
}

}  // namespace patra::adapter::rest
