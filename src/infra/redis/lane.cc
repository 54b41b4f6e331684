#include "infra/redis/lane.h"

#include <algorithm>

namespace patra::infra::redis {
namespace {

constexpr int kBusyPerSecond = 50;
constexpr int kSlotsMax = 128;

domain::GateChange TellOne(const Lane& lane, const domain::GateCells& cells, const Event& event,
                           const domain::GateTime& now, Duration ahead) {
  const auto at = event.at + ahead;
  const domain::GateTime time{at, now.wall - (now.now - at)};
  switch (event.kind) {
    case Event::Kind::kFeed: {
      auto signal = event.signal;
      if (signal.sent_at != domain::kLongAgo) signal.sent_at += ahead;
      return domain::Feed(lane.rules, cells, signal, time, event.chance);
    }
    case Event::Kind::kRelease:
      domain::Release(cells, event.lease, at);
      break;
    case Event::Kind::kCharge:
      domain::Charge(lane.rules, cells,
                     {.at = at, .cost = event.cost, .share = event.share, .lease = event.lease},
                     now);
      break;
  }
  return {};
}

}  // namespace

domain::GateChange Tell(const Lane& lane, const domain::GateCells& cells,
                        const domain::GateTime& time, Duration ahead) {
  domain::GateChange all;
  for (const auto& event : lane.events) {
    const auto change = TellOne(lane, cells, event, time, ahead);
    all.is_slowed = all.is_slowed || change.is_slowed;
    all.is_opened = all.is_opened || change.is_opened;
    all.is_frozen = all.is_frozen || change.is_frozen;
    all.stopped_for = std::max(all.stopped_for, change.stopped_for);
    if (event.kind == Event::Kind::kFeed) all.share = change.share;
  }
  auto& counts = cells.At(lane.rules.feedback_scope).counts;
  counts.permits += lane.untold.permits;
  counts.waits += lane.untold.waits;
  counts.lost_slots += lane.untold.lost_slots;
  return all;
}

int SlotsAhead(Lane& lane, Duration now) {
  const auto rate = lane.demand.PerSecond(now);
  if (rate < kBusyPerSecond) return 0;
  // A paid slot takes a place among the concurrent ones: others need some, too.
  auto most = std::int64_t{kSlotsMax};
  for (const auto& limit : lane.rules.limits) {
    if (limit.kind == domain::LimitKind::kConcurrency) most = std::min(most, limit.count / 2);
  }
  const auto wanted =
      std::int64_t{rate} * kAhead.count() / Duration(std::chrono::seconds(1)).count();
  const auto missing = std::min(wanted, most) - static_cast<std::int64_t>(lane.slots.size());
  return static_cast<int>(std::max<std::int64_t>(missing, 0));
}

bool IsBusy(Lane& lane, Duration now) { return lane.demand.PerSecond(now) >= kBusyPerSecond; }

int FindSlot(Lane& lane, const domain::GateCells& cells, const domain::GateAsk& ask,
             const domain::GateTime& time) {
  if (ask.cost != 1 || ask.is_retry || ask.booking) return -1;
  for (std::size_t i = 0; i < lane.slots.size(); ++i) {
    const auto& [booking, priority] = lane.slots[i];
    if (priority != ask.priority || booking.slot - time.now > ask.deadline) continue;
    if (domain::WorthOf(lane.rules, cells, booking, time)) return static_cast<int>(i);
  }
  return -1;
}

void DropDeadSlots(Lane& lane, const domain::GateTime& time, Duration ahead) {
  std::erase_if(lane.slots, [&](const PaidSlot& slot) {
    if (slot.booking.slot + slot.booking.life >= time.now) return false;
    ++lane.untold.lost_slots;
    if (slot.booking.lease != 0)
      lane.events.push_back(
          {.kind = Event::Kind::kRelease, .at = time.now - ahead, .lease = slot.booking.lease});
    return true;
  });
}

}  // namespace patra::infra::redis
