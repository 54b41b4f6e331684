#include "adapter/rest/event_hub.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapter/rest/json_text.h"
#include "app/api/report_facts.h"
#include "base/integer.h"

namespace patra::adapter::rest {
namespace {

constexpr int kRunsWatched = 50;
constexpr int kAlertsWatched = 100;
constexpr int kLooksUntilSeldom = 30;
constexpr Duration kQueueWindow = std::chrono::minutes(1);
constexpr std::string_view kHeartbeat = ":\n\n";

}  // namespace

EventHub::EventHub(Services& services, const Clock& clock, EventBounds bounds)
    : services_(services),
      clock_(clock),
      bounds_(bounds),
      epoch_(fmt::to_string(EpochMillis(services.clock().Now()))) {}

Result<std::shared_ptr<EventFeed>> EventHub::Listen(std::string_view heard) {
  const std::lock_guard lock(mutex_);
  std::erase_if(feeds_, [](const auto& feed) { return feed->is_over(); });
  if (is_stopped_ || feeds_.size() >= bounds_.listeners_max) {
    return Fail(ErrorCode::kUnavailable, fmt::format("{} listen already", feeds_.size()), {},
                "wait until one hangs up; one listener is enough for a browser");
  }
  auto feed = std::make_shared<EventFeed>();
  feed->Push("retry: 3000\n\n");
  const auto dash = heard.find('-');
  const auto number = dash == std::string_view::npos || heard.substr(0, dash) != epoch_
                          ? std::nullopt
                          : ParseInteger(heard.substr(dash + 1));
  const bool has_all =
      number && *number <= told_ &&
      (*number == told_ || (!kept_.empty() && kept_.front().number <= *number + 1));
  if (has_all) {
    for (const auto& event : kept_) {
      if (event.number > *number) feed->Push(event.text);
    }
  } else {
    for (const auto& [name, event] : newest_) feed->Push(event.text);
  }
  feeds_.push_back(feed);
  if (!looks_.joinable()) looks_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  changed_.notify_all();
  return feed;
}

std::size_t EventHub::listeners() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(feeds_, [](const auto& feed) { return !feed->is_over(); }));
}

void EventHub::Stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    for (const auto& feed : feeds_) feed->End();
  }
  looks_.request_stop();
  changed_.notify_all();
  if (looks_.joinable()) looks_.join();
}

void EventHub::Run(const std::stop_token& stop) {
  int unchanged = 0;
  auto heartbeat_at = clock_.Elapsed();
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !feeds_.empty(); });
    }
    if (stop.stop_requested()) return;
    unchanged = Look() ? 0 : unchanged + 1;
    if (clock_.Elapsed() - heartbeat_at >= bounds_.heartbeat_every) {
      heartbeat_at = clock_.Elapsed();
      Beat();
    }
    std::unique_lock lock(mutex_);
    std::erase_if(feeds_, [](const auto& feed) { return feed->is_over(); });
    const auto pause = unchanged < kLooksUntilSeldom ? bounds_.look_every : bounds_.look_seldom;
    changed_.wait_for(lock, stop, pause, [] { return false; });
  }
}

// Where the store is away, listeners hear nothing but heartbeats until it is back.
bool EventHub::Look() {
  const auto queue = LookAtQueue();
  const auto runs = LookAtRuns();
  const auto alerts = LookAtAlerts();
  const bool has_changed = queue.value_or(false) || runs.value_or(false) || alerts.value_or(false);
  const bool is_first = status_at_ == Duration{};
  if (is_first || (has_changed && clock_.Elapsed() - status_at_ >= bounds_.status_every)) {
    if (LookAtStatus()) status_at_ = std::max(clock_.Elapsed(), Duration(1));
  }
  return has_changed;
}

Result<bool> EventHub::LookAtQueue() {
  const auto now = services_.clock().Now();
  const auto snapshot =
      PATRA_TRY(services_.desk().read().dashboard().Queue({}, {now - kQueueWindow, now}));
  std::string json = "{\"items\":[";
  for (const auto& row : snapshot.rows) {
    if (&row != snapshot.rows.data()) json += ',';
    AppendJson(FactsOf(row, kQueueWindow), json);
  }
  json += "]}";
  if (json == queue_seen_) return false;
  queue_seen_ = json;
  Tell("queue", json);
  return true;
}

Result<bool> EventHub::LookAtRuns() {
  const auto runs = PATRA_TRY(services_.desk().read().ledger().Runs({.rows_max = kRunsWatched}));
  std::map<Id, std::string> seen;
  bool has_changed = false;
  const bool is_first = runs_seen_.empty();
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    auto& status = seen[run->id] = run->status;
    const auto before = runs_seen_.find(run->id);
    if (is_first || (before != runs_seen_.end() && before->second == status)) continue;
    has_changed = true;
    std::string json;
    AppendJson(FactsOf(*run), json);
    Tell("run", json);
  }
  runs_seen_ = std::move(seen);
  return has_changed;
}

Result<bool> EventHub::LookAtAlerts() {
  std::string json = "{\"items\":[";
  for (const auto& report : PATRA_TRY(services_.desk().alerts().List(false, kAlertsWatched))) {
    if (json.back() != '[') json += ',';
    AppendJson(app::FactsOf(report), json);
  }
  json += "]}";
  if (json == alerts_seen_) return false;
  alerts_seen_ = json;
  Tell("alerts", json);
  return true;
}

Result<void> EventHub::LookAtStatus() {
  Tell(
      "status",
      JsonOf(ToValue(PATRA_TRY(services_.desk().read().status().Status(services_.clock().Now())))));
  return {};
}

std::string EventHub::TextOf(std::int64_t number, std::string_view name,
                             const std::string& json) const {
  return fmt::format("id: {}-{}\nevent: {}\ndata: {}\n\n", epoch_, number, name, json);
}

void EventHub::Tell(std::string_view name, const std::string& json) {
  const std::lock_guard lock(mutex_);
  Event event{.number = ++told_, .text = TextOf(told_, name, json)};
  for (const auto& feed : feeds_) feed->Push(event.text);
  if (name != "run") newest_[std::string(name)] = event;
  kept_.push_back(std::move(event));
  if (kept_.size() > bounds_.events_kept) kept_.pop_front();
}

// Whether somebody may stay is asked without holding up those who come.
void EventHub::Beat() {
  std::vector<std::shared_ptr<EventFeed>> feeds;
  {
    const std::lock_guard lock(mutex_);
    feeds = feeds_;
  }
  for (const auto& feed : feeds) feed->Beat(clock_.Elapsed());
  Say(kHeartbeat);
}

void EventHub::Say(std::string_view text) {
  const std::lock_guard lock(mutex_);
  for (const auto& feed : feeds_) feed->Push(text);
}

}  // namespace patra::adapter::rest
