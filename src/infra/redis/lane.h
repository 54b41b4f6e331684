// What this process knows of one way to a provider beside the shared cells: slots that it has paid for ahead, and what has
// happened that the others have not been told yet.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "infra/redis/cell_set.h"

namespace patra::infra::redis {

// How many requests a second there were lately.
class Demand {
 public:
  void Count(Duration now) {
    Pass(now);
    ++parts_[static_cast<std::size_t>(number_ % kParts)];
  }
  // Over the last second, or as many as there would be if all of it were like its busiest part: who begins to send is
  // noticed soon.
  int PerSecond(Duration now) {
    Pass(now);
    int sum = 0;
    for (const auto part : parts_) sum = std::max(sum, part * kParts);
    return sum;
  }

 private:
  static constexpr int kParts = 4;
  static constexpr Duration kPart = std::chrono::milliseconds(250);

  void Pass(Duration now) {
    const auto number = now / kPart;
    if (number - number_ >= kParts) parts_.fill(0);
    for (auto passed = std::max(number_ + 1, number - kParts + 1); passed <= number; ++passed)
      parts_[static_cast<std::size_t>(passed % kParts)] = 0;
    number_ = std::max(number_, number);
  }

  std::array<int, kParts> parts_{};
  std::int64_t number_ = 0;
};

// Something that has happened and is told to the cells when there is an occasion. Times are of our clock's Elapsed.
struct Event {
  enum class Kind { kFeed, kRelease, kCharge };

  Kind kind = Kind::kFeed;
  Duration at{};
  domain::GateSignal signal{};  // kFeed
  double chance = 0;            // kFeed
  domain::LeaseId lease = 0;    // kRelease, kCharge
  std::int64_t cost = 1;        // kCharge
  std::int64_t share = 0;       // kCharge
};

struct PaidSlot {
  domain::Booking booking;
  domain::GatePriority priority;
};

struct Lane {
  domain::GateTarget target;
  domain::GateRules rules;
  CellSet set;
  Demand demand{};
  std::deque<PaidSlot> slots{};  // in the order of their times
  std::vector<Event> events{};
  domain::GateCounts untold{};   // what to add to the counts of the cells
  domain::GateChange changed{};  // by what was told last
  Duration untold_since{};       // by Elapsed
  Duration used_at{};            // by Elapsed

  bool has_untold() const {
    return !events.empty() || untold.permits > 0 || untold.waits > 0 || untold.lost_slots > 0;
  }
};

// Tells the cells what has happened, and says what all of it changed. `ahead` is how far the gate's time is ahead of Elapsed.
domain::GateChange Tell(const Lane& lane, const domain::GateCells& cells,
                        const domain::GateTime& time, Duration ahead);

// How many slots are worth having paid for, beside the one that is asked for.
int SlotsAhead(Lane& lane, Duration now);

// At such a rate the others are told once in a while, not at every step.
bool IsBusy(Lane& lane, Duration now);

// A slot that somebody of that urgency can use now or soon; those that nobody can use any more are dropped. -1: none.
int FindSlot(Lane& lane, const domain::GateCells& cells, const domain::GateAsk& ask,
             const domain::GateTime& time);
void DropDeadSlots(Lane& lane, const domain::GateTime& time, Duration ahead);

inline constexpr Duration kAhead = std::chrono::milliseconds(100);

}  // namespace patra::infra::redis
