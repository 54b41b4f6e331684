#include "tests/simulation/fleet_model.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <queue>

#include "base/result.h"

namespace patra::testing {
namespace {

// What of its own work a page takes between two requests (src/domain/task/at_once.h).
constexpr double kOwnWork = 0.25;

class Timeline {
 public:
  double now() const { return now_; }
  void At(double when, int actor) { events_.push({std::max(when, now_), next_++, actor}); }
  // The actor whose turn is next; none when nothing will happen any more before `end`.
  int Next(double end) {
    if (events_.empty() || events_.top().when > end) return -1;
    const auto event = events_.top();
    events_.pop();
    now_ = event.when;
    return event.actor;
  }

 private:
  struct Event {
    double when;
    std::int64_t order;
    int actor;
    bool operator<(const Event& other) const {
      return when != other.when ? when > other.when : order > other.order;
    }
  };
  std::priority_queue<Event> events_;
  double now_ = 0;
  std::int64_t next_ = 0;
};

struct Tally {
  double busy = 0, waited = 0;
  std::int64_t turns = 0;

  double Mean() const { return turns > 0 ? waited / static_cast<double>(turns) : 0; }
};

// One at a time, in the order of coming.
class Lock {
 public:
  // Whether it is the actor's at once; else it is woken when its turn comes.
  bool Take(int actor, double now) {
    ++tally_.turns;
    if (!is_held_) {
      is_held_ = true;
      since_ = now;
      return true;
    }
    waiting_.emplace_back(actor, now);
    return false;
  }
  // Who is next.
  int Release(double now) {
    tally_.busy += now - since_;
    if (waiting_.empty()) {
      is_held_ = false;
      return -1;
    }
    const auto [actor, came] = waiting_.front();
    waiting_.pop_front();
    tally_.waited += now - came;
    since_ = now;
    return actor;
  }
  void CountFrom(double now) {
    tally_ = {};
    since_ = now;
    for (auto& [actor, came] : waiting_) came = now;
  }
  Tally tally(double now) const {
    auto tally = tally_;
    if (is_held_) tally.busy += now - since_;
    for (const auto& [actor, came] : waiting_) tally.waited += now - came;
    return tally;
  }

 private:
  bool is_held_ = false;
  double since_ = 0;
  std::deque<std::pair<int, double>> waiting_;
  Tally tally_;
};

// Several alike, each of which does one thing at a time. When what is asked for now will be done.
class Servers {
 public:
  explicit Servers(int count) {
    for (int i = 0; i < count; ++i) free_at_.push(0);
  }
  double Done(double now, double work) {
    const double begin = std::max(now, free_at_.top());
    free_at_.pop();
    free_at_.push(begin + work);
    tally_.busy += work;
    tally_.waited += begin - now;
    ++tally_.turns;
    return begin + work;
  }
  void CountFromHere() { tally_ = {}; }
  const Tally& tally() const { return tally_; }

 private:
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at_;
  Tally tally_;
};

// Writes what came while it wrote in one go.
class LogDisk {
 public:
  double Done(double now, double write) {
    ++tally_.turns;
    if (now < next_begins_) {  // joins those who wait for the next write
      tally_.waited += next_begins_ - now;
      return next_begins_ + write;
    }
    if (now < busy_until_) {
      next_begins_ = busy_until_;
      busy_until_ += write;
      tally_.waited += next_begins_ - now;
    } else {
      next_begins_ = now;
      busy_until_ = now + write;
    }
    tally_.busy += write;
    return busy_until_;
  }
  void CountFromHere() { tally_ = {}; }
  const Tally& tally() const { return tally_; }

 private:
  double next_begins_ = 0, busy_until_ = 0;
  Tally tally_;
};

struct Source {
  Lock lock{};
  double next_slot = 0;
  std::int64_t pages = 0;  // not claimed yet
};

struct Database {
  explicit Database(int cores) : servers(cores) {}
  Lock queue{};
  Servers servers;
  LogDisk log{};
  std::deque<int> places{};  // sources that may have one more task under way
  int lanes = 0;             // with tasks that are ready
};

enum class Step { kLook, kClaiming, kClaimed, kOpened, kAnswered, kCommitting, kCommitted };

struct Worker {
  Database* database = nullptr;
  int process = 0;
  Step step = Step::kLook;
  int source = -1;
  std::int64_t to_fetch = 0;  // pages of its task
  double answered_at = 0;     // the page that is fetched ahead
  double began = 0;           // its task
  bool is_vain = false;
};

class Playing {
 public:
  Playing(const Fleet& fleet, const FleetCosts& costs, std::int64_t pages)
      : fleet_(fleet), costs_(costs), sources_(static_cast<std::size_t>(fleet.sources)) {
    for (int i = 0; i < fleet.databases; ++i)
      databases_.push_back(std::make_unique<Database>(fleet.cores));
    const int at_once =
        std::max(1, static_cast<int>(std::ceil(fleet.rate * (fleet.latency + kOwnWork) - 1e-9)));
    for (int i = 0; i < fleet.sources; ++i) {
      auto& source = sources_[static_cast<std::size_t>(i)];
      source.pages = pages / fleet.sources + (i < pages % fleet.sources ? 1 : 0);
      auto& database = *databases_[static_cast<std::size_t>(i % fleet.databases)];
      if (source.pages > 0) ++database.lanes;
    }
    for (int place = 0; place < at_once; ++place)
      for (int i = 0; i < fleet.sources; ++i)
        databases_[static_cast<std::size_t>(i % fleet.databases)]->places.push_back(i);
    const int workers = fleet.machines * fleet.workers;
    idle_.resize(static_cast<std::size_t>(fleet.machines));
    for (int i = 0; i < workers; ++i) {
      const int process = i % fleet.machines;
      workers_.push_back(
          {.database = databases_[static_cast<std::size_t>(process % fleet.databases)].get(),
           .process = process});
      // Nobody starts a hundred machines in one instant.
      time_.At(fleet.look_again * i / workers, i);
    }
    all_ = report_.left = pages;
    report_.allowed = fleet.sources * fleet.rate;
  }

  FleetReport Run(double seconds_max, double from) {
    bool counts = from <= 0;
    for (int actor = time_.Next(seconds_max); actor >= 0; actor = time_.Next(seconds_max)) {
      if (!counts && time_.now() >= from) {
        CountFrom(time_.now());
        counts = true;
      }
      Act(actor);
      if (committed_ == all_) break;
    }
    report_.seconds = (committed_ == all_ ? time_.now() : seconds_max) - began_;
    return Finish();
  }

 private:
  Worker& At(int actor) { return workers_[static_cast<std::size_t>(actor)]; }

  // A transaction from its first statement to its last: when it is over.
  double Transaction(Database& database, double work, double trips) {
    const double served = database.servers.Done(time_.now(), work * costs_.server_part);
    return served + work * (1 - costs_.server_part) + trips * fleet_.round_trip;
  }
  void Wake(int actor) {
    if (actor >= 0) time_.At(time_.now(), actor);
  }

  void Act(int actor) {
    auto& worker = At(actor);
    switch (worker.step) {
      case Step::kLook:
        worker.step = Step::kClaiming;
        if (worker.database->queue.Take(actor, time_.now())) Claim(actor);
        return;
      case Step::kClaiming:
        return Claim(actor);
      case Step::kClaimed:
        Wake(worker.database->queue.Release(time_.now()));
        return worker.is_vain ? Rest(actor) : Open(actor);
      case Step::kOpened:
        worker.answered_at = Ask(worker);
        worker.step = Step::kAnswered;
        return time_.At(worker.answered_at, actor);
      case Step::kAnswered:
        return Answered(actor);
      case Step::kCommitting:
        return Commit(actor);
      case Step::kCommitted:
        return Committed(actor);
    }
  }

  void Claim(int actor) {
    auto& worker = At(actor);
    auto& database = *worker.database;
    while (!database.places.empty() &&
           sources_[static_cast<std::size_t>(database.places.front())].pages == 0)
      database.places.pop_front();
    worker.is_vain = database.places.empty();
    const int asked = std::min(database.lanes, fleet_.lanes_asked_max) - costs_.lanes_in_claim;
    const double lanes = costs_.claim_of_lane * asked;
    const double work =
        std::max(0.0005, (worker.is_vain ? costs_.vain_claim : costs_.claim) + lanes);
    if (!worker.is_vain) {
      worker.source = database.places.front();
      database.places.pop_front();
      auto& source = sources_[static_cast<std::size_t>(worker.source)];
      worker.to_fetch = std::min<std::int64_t>(source.pages, fleet_.pages_of_task);
      source.pages -= worker.to_fetch;
      if (source.pages == 0) --database.lanes;
      worker.began = time_.now();
    }
    worker.step = Step::kClaimed;
    const double trips = (worker.is_vain ? costs_.vain_claim_trips : costs_.claim_trips) +
                         costs_.claim_trips_of_lane * asked;
    const double over = Transaction(database, work, std::max(1.0, trips));
    time_.At(worker.is_vain ? over : database.log.Done(over, costs_.log), actor);
  }

  void Rest(int actor) {
    auto& worker = At(actor);
    worker.step = Step::kLook;
    auto& idle = idle_[static_cast<std::size_t>(worker.process)];
    if (fleet_.looks_for_all && idle.is_looked_for && idle.looker != actor) {
      idle.resting.push_back(actor);
      return;
    }
    idle.is_looked_for = true;
    idle.looker = actor;
    time_.At(time_.now() + fleet_.look_again, actor);
  }

  void Open(int actor) {
    auto& worker = At(actor);
    // Where one found a task there may be more: the next of its process looks.
    auto& idle = idle_[static_cast<std::size_t>(worker.process)];
    if (idle.looker == actor) {
      idle.is_looked_for = false;
      idle.looker = -1;
      if (!idle.resting.empty()) {
        Wake(idle.resting.front());
        idle.resting.pop_front();
      }
    }
    worker.step = Step::kOpened;
    time_.At(Transaction(*worker.database, costs_.open_and_close, costs_.open_and_close_trips),
             actor);
  }

  // A permit, then the request: when its answer is there.
  double Ask(Worker& worker) {
    auto& source = sources_[static_cast<std::size_t>(worker.source)];
    --worker.to_fetch;
    --report_.left;
    ++under_way_;
    const double permitted = redis_.Done(time_.now(), costs_.permit) + 2 * fleet_.round_trip;
    const double slot = std::max(permitted, source.next_slot);
    source.next_slot = slot + 1 / fleet_.rate;
    gate_waited_ += slot - permitted;
    return slot + fleet_.latency;
  }

  void Answered(int actor) {
    auto& worker = At(actor);
    --under_way_;
    ++report_.fetched;
    // The next page is fetched while this one is committed.
    worker.answered_at = worker.to_fetch > 0 ? Ask(worker) : -1;
    worker.step = Step::kCommitting;
    if (sources_[static_cast<std::size_t>(worker.source)].lock.Take(actor, time_.now()))
      Commit(actor);
  }

  void Commit(int actor) {
    auto& worker = At(actor);
    worker.step = Step::kCommitted;
    const double over = Transaction(*worker.database, costs_.commit, costs_.commit_trips);
    time_.At(worker.database->log.Done(over, costs_.log), actor);
  }

  void Committed(int actor) {
    auto& worker = At(actor);
    Wake(sources_[static_cast<std::size_t>(worker.source)].lock.Release(time_.now()));
    ++report_.pages;
    ++committed_;
    if (worker.answered_at >= 0) {
      worker.step = Step::kAnswered;
      return time_.At(worker.answered_at, actor);
    }
    ++report_.tasks;
    worked_ += time_.now() - std::max(worker.began, began_);
    worker.database->places.push_back(worker.source);
    worker.source = -1;
    worker.step = Step::kLook;
    Act(actor);
  }

  void CountFrom(double now) {
    began_ = now;
    for (const auto& database : databases_) {
      database->queue.CountFrom(now);
      database->servers.CountFromHere();
      database->log.CountFromHere();
    }
    for (auto& source : sources_) source.lock.CountFrom(now);
    redis_.CountFromHere();
    report_.pages = report_.fetched = report_.tasks = 0;
    gate_waited_ = worked_ = 0;
  }

  FleetReport Finish() {
    const double now = began_ + report_.seconds;
    report_.left += under_way_;
    Tally queue, commits;
    double queue_busy = 0, cores_busy = 0, log_busy = 0, cores_wait = 0, log_wait = 0,
           source_busy = 0;
    for (const auto& database : databases_) {
      const auto of_queue = database->queue.tally(now);
      queue_busy = std::max(queue_busy, of_queue.busy);
      queue.waited += of_queue.waited;
      queue.turns += of_queue.turns;
      cores_busy = std::max(cores_busy, database->servers.tally().busy / fleet_.cores);
      cores_wait = std::max(cores_wait, database->servers.tally().Mean());
      log_busy = std::max(log_busy, database->log.tally().busy);
      log_wait = std::max(log_wait, database->log.tally().Mean());
    }
    for (const auto& source : sources_) {
      const auto of_source = source.lock.tally(now);
      source_busy = std::max(source_busy, of_source.busy);
      commits.waited += of_source.waited;
      commits.turns += of_source.turns;
    }
    const auto part = [&](const char* name, double busy, double waited) {
      report_.parts.push_back(
          {name, report_.seconds > 0 ? std::min(1.0, busy / report_.seconds) : 0, waited});
    };
    part("queue lock", queue_busy, queue.Mean());
    part("server cores", cores_busy, cores_wait);
    part("log disk", log_busy, log_wait);
    part("a source's lock", source_busy, commits.Mean());
    for (const auto& worker : workers_)
      if (worker.source >= 0) worked_ += now - std::max(worker.began, began_);
    part("workers", worked_ / static_cast<double>(workers_.size()), 0);
    part("Redis", redis_.tally().busy, redis_.tally().Mean());
    const double used = report_.pages_a_second() / report_.allowed;
    report_.parts.push_back(
        {"providers' limits", std::min(1.0, used),
         report_.fetched > 0 ? gate_waited_ / static_cast<double>(report_.fetched) : 0});
    return report_;
  }

  struct Idle {
    bool is_looked_for = false;
    int looker = -1;
    std::deque<int> resting{};
  };

  const Fleet fleet_;
  const FleetCosts costs_;
  Timeline time_;
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<Source> sources_;
  std::vector<Worker> workers_;
  std::vector<Idle> idle_;
  Servers redis_{1};
  FleetReport report_;
  std::int64_t all_ = 0, committed_ = 0, under_way_ = 0;
  double began_ = 0, worked_ = 0;
  double gate_waited_ = 0;
};

}  // namespace

const PartReport& FleetReport::part(const std::string& name) const {
  const auto found = std::ranges::find(parts, name, &PartReport::name);
  PATRA_ASSERT(found != parts.end());
  return *found;
}

const PartReport& FleetReport::busiest() const {
  return *std::ranges::max_element(parts, {}, &PartReport::busy);
}

FleetReport Play(const Fleet& fleet, const FleetCosts& costs, std::int64_t pages,
                 double seconds_max, double from) {
  return Playing(fleet, costs, pages).Run(seconds_max, from);
}

}  // namespace patra::testing
