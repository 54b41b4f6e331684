// The gate without Redis. Each process keeps to the allowance divided by the executors, from what it last saw of the cells on,
// and begins with a slot that it pays for and does not use: then those that the others begin with do not come on top.
//
// On the way back nobody may take the whole allowance while others still take their parts. So the first who is back writes
// down a time, three seconds later, and until then all go on alone, telling the shared cells what they send. From then on
// the cells count again, with everything charged that still matters.
#include <algorithm>

#include "domain/gate/adaptive_rate.h"
#include "infra/redis/rate_gate.h"

namespace patra::infra::redis {
namespace {

constexpr Duration kTryAfterLeast = std::chrono::milliseconds(100);
constexpr Duration kTryAfterMost = std::chrono::seconds(1);
constexpr Duration kForLong = std::chrono::days(366);
constexpr std::size_t kEventsMax = 4'096;

std::int64_t ShareOf(int executors) {
  return std::max(domain::AdaptiveRate::kFull / executors, domain::AdaptiveRate::kShareMin);
}

// What was sent so long ago that no window holds it any more.
void ForgetOldCharges(Lane& lane, Duration now) {
  if (lane.events.size() < kEventsMax) return;
  auto longest = Duration(std::chrono::seconds(1));
  for (const auto& limit : lane.rules.limits) {
    if (limit.kind != domain::LimitKind::kQuota) longest = std::max(longest, limit.window);
  }
  std::erase_if(lane.events, [&](const Event& event) {
    return event.kind == Event::Kind::kCharge && event.at < now - 2 * longest;
  });
}

}  // namespace

void RateGate::GoAway() {
  const bool was_shared = mode_ == Mode::kShared;
  mode_ = Mode::kAway;
  try_after_ = kTryAfterLeast;
  try_at_ = clock_.Elapsed() + try_after_;
  wake_.notify_one();
  if (!was_shared) return;
  executors_ = std::max(1, options_.executors());
  alone_.clear();
  for (auto& [names, lanes] : lanes_) {
    for (auto& lane : lanes) lane->slots.clear();
  }
}

Result<void> RateGate::Settle() {
  if (mode_ == Mode::kAway && !options_.books_ahead && clock_.Elapsed() >= try_at_)
    Return(Connection::Open(options_.shared.connect));
  if (mode_ == Mode::kReturning && cells_.Now().now >= resume_at_) return FinishReturn();
  return {};
}

void RateGate::Return(Result<std::unique_ptr<Connection>> connection) {
  if (mode_ != Mode::kAway) return;
  std::optional<Duration> resume_at;
  if (connection) {
    cells_.Use(*std::move(connection));
    if (const auto agreed = cells_.AgreeOnReturn()) resume_at = *agreed;
  }
  if (!resume_at) {
    // Not all at once when it is back.
    try_after_ = std::min(2 * try_after_, kTryAfterMost);
    const auto chance = 0.5 + random_.Fraction() / 2;
    const auto wait = static_cast<double>(try_after_.count()) * chance;
    try_at_ = clock_.Elapsed() + Duration(static_cast<std::int64_t>(wait));
    return;
  }
  mode_ = Mode::kReturning;
  resume_at_ = *resume_at;
  (void)FlushAll();  // what could not be told now is told when it is over
}

Result<void> RateGate::FinishReturn() {
  for (auto& [names, lanes] : lanes_) {
    for (auto& lane : lanes) {
      // As if everybody had sent one last request at the same moment: the next one comes a step of theirs later.
      if (alone_.contains(lane->set.names.front()))
        lane->events.push_back({.kind = Event::Kind::kCharge,
                                .at = resume_at_ - cells_.ahead(),
                                .share = ShareOf(executors_)});
      if (lane->has_untold() && !PATRA_TRY(Flush(*lane))) return {};
    }
  }
  mode_ = Mode::kShared;
  alone_.clear();
  return {};
}

domain::GateRules RateGate::RulesAlone(const Lane& lane) const {
  auto rules = lane.rules;
  for (auto& limit : rules.limits) {
    if (limit.kind == domain::LimitKind::kConcurrency)
      limit.count = std::max<std::int64_t>(limit.count / executors_, 1);
  }
  return rules;
}

domain::GateCells RateGate::CellsAlone(Lane& lane) {
  const auto time = cells_.Now();
  bool any_new = false;
  domain::GateCells cells;
  for (std::size_t scope = 0; scope < lane.set.of.size(); ++scope) {
    if (lane.set.of[scope] < 0) continue;
    const auto& name = lane.set.names[static_cast<std::size_t>(lane.set.of[scope])];
    const auto [place, is_new] = alone_.try_emplace(name);
    auto& cell = place->second;
    cells.of[scope] = &cell;
    if (!is_new) continue;
    any_new = true;
    if (const auto* remembered = cells_.Remembered(name)) {
      cell = *remembered;
      // The piece of a quota is everybody's: each gets its own from the store.
      for (auto& limit : cell.limits) limit.quota = {};
    } else {
      domain::Claim(cell, name, lane.rules, time.now);
    }
  }
  if (!any_new) return cells;
  const auto rules = RulesAlone(lane);
  const auto share = ShareOf(executors_);
  domain::AssumeFull(rules, cells, time);
  cells.At(rules.feedback_scope).rate.Cap(time.now, share, time.now + kForLong);
  domain::Charge(rules, cells, {.at = time.now, .share = share}, time);
  return cells;
}

Result<RateGate::Decision> RateGate::DecideAlone(Lane& lane, const domain::GateAsk& ask) {
  const auto cells = CellsAlone(lane);
  const auto time = cells_.Now();
  const auto verdict = domain::Decide(RulesAlone(lane), cells, ask, time, NewLease());
  const auto& booking = verdict.booking;
  const bool is_old = booking && ask.booking && booking->slot == ask.booking->slot &&
                      booking->booked == ask.booking->booked;
  if (booking && !is_old) {
    ForgetOldCharges(lane, clock_.Elapsed());
    lane.events.push_back({.kind = Event::Kind::kCharge,
                           .at = booking->slot - cells_.ahead(),
                           .lease = booking->lease,
                           .cost = ask.cost,
                           .share = ShareOf(executors_)});
    if (mode_ == Mode::kReturning) PATRA_TRY(Flush(lane));
  }
  if (verdict.kind == domain::GateVerdict::Kind::kAllow) ++lane.untold.permits;
  return Decision{verdict, time};
}

domain::GateChange RateGate::FeedAlone(Lane& lane, const Event& event) {
  const auto cells = CellsAlone(lane);
  Lane told{.target = lane.target, .rules = RulesAlone(lane), .set = lane.set, .events = {event}};
  const auto change = Tell(told, cells, cells_.Now(), cells_.ahead());
  if (event.kind == Event::Kind::kRelease) {
    const auto charge = std::ranges::find_if(lane.events, [&](const Event& e) {
      return e.kind == Event::Kind::kCharge && e.lease == event.lease;
    });
    // It has come and gone while nobody knew.
    if (charge != lane.events.end()) {
      charge->lease = 0;
      return change;
    }
  }
  const bool is_news = event.kind != Event::Kind::kFeed || event.signal.cool_down ||
                       event.signal.kind != domain::GateSignal::Kind::kOk;
  if (is_news) lane.events.push_back(event);
  return change;
}

}  // namespace patra::infra::redis
