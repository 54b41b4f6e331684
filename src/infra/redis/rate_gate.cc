#include "infra/redis/rate_gate.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "app/port/gate_answers.h"

namespace patra::infra::redis {
namespace {

using VerdictKind = domain::GateVerdict::Kind;

constexpr Duration kTellAfter = std::chrono::milliseconds(150);
constexpr Duration kTellOfPlacesAfter = std::chrono::milliseconds(25);
constexpr Duration kBeat = std::chrono::milliseconds(25);
constexpr Duration kLaneIdle = std::chrono::minutes(1);
constexpr std::size_t kLanesPerSet = 16;

std::uint64_t SeedOf(const Clock& clock) {
  return HashText(fmt::format("{} {} {}", getpid(), clock.Now().time_since_epoch().count(),
                              SystemClock().Elapsed().count()));
}

bool LimitsConcurrency(const domain::GateRules& rules) {
  return std::ranges::any_of(rules.limits, [](const domain::Limit& limit) {
    return limit.kind == domain::LimitKind::kConcurrency;
  });
}

bool IsSame(const std::optional<domain::Booking>& a, const std::optional<domain::Booking>& b) {
  return a && b && a->slot == b->slot && a->booked == b->booked;
}

// Who is told that all places are taken, or to come back another time, asks often and changes nothing but counts; who is told
// to wait in line is waited for by the others.
bool IsWorthStoring(const domain::GateVerdict& verdict) {
  using enum domain::WaitReason;
  return verdict.booking || verdict.reason == kPace || verdict.reason == kWindow ||
         verdict.reason == kTurn;
}

Error Away() {
  return {ErrorCode::kUnavailable, "Redis is away", {}, "the gate goes on without it meanwhile"};
}

}  // namespace

Result<std::unique_ptr<RateGate>> RateGate::Open(GateOptions options, app::GateLedger& ledger,
                                                 const Clock& clock,
                                                 std::optional<std::uint64_t> seed) {
  const auto chance = seed ? *seed : SeedOf(clock);
  options.shared.seed = MixBits(chance);
  std::unique_ptr<RateGate> gate(new RateGate(std::move(options), ledger, clock, chance));
  const auto connected = gate->cells_.Connect();
  if (!connected && connected.error().code != ErrorCode::kUnavailable)
    return std::unexpected(connected.error());
  if (!connected) gate->GoAway();
  if (gate->options_.books_ahead)
    gate->beside_ =
        std::jthread([&on = *gate](const std::stop_token& stop) { on.RunBeside(stop); });
  return gate;
}

RateGate::RateGate(GateOptions options, app::GateLedger& ledger, const Clock& clock,
                   std::uint64_t seed)
    : options_(std::move(options)),
      ledger_(ledger),
      clock_(clock),
      random_(seed),
      owner_(static_cast<domain::LeaseOwner>(1 + random_.Fork("owner").Below(1U << 30))),
      cells_(options_.shared, ledger, clock) {}

RateGate::~RateGate() {
  if (beside_.joinable()) {
    beside_.request_stop();
    beside_.join();
  }
  const std::lock_guard lock(mutex_);
  if (mode_ == Mode::kAway) return;
  for (auto& [names, lanes] : lanes_) {
    for (auto& lane : lanes) {
      // What is paid and not used is lost; its places are not.
      for (auto& slot : lane->slots) slot.booking.life = domain::kLongAgo;
      DropDeadSlots(*lane, cells_.Now(), cells_.ahead());
    }
  }
  (void)FlushAll();  // what cannot be told is known to nobody, as after a crash
}

Result<app::GateAnswer> RateGate::Acquire(const domain::GateTarget& target,
                                          const domain::GateRules& rules,
                                          const domain::GateAsk& ask) {
  std::unique_lock lock(mutex_);
  constexpr int kQuotaRoundsMax = 8;
  for (int round = 0; round < kQuotaRoundsMax; ++round) {
    auto& lane = LaneOf(target, rules);
    const auto [verdict, time] = PATRA_TRY(Decide(lane, ask));
    if (verdict.kind == VerdictKind::kAllow && verdict.booking->lease != 0)
      held_[verdict.booking->lease] = &lane;
    if (verdict.kind != VerdictKind::kNeedsQuota)
      return app::AnswerOf(*this, target, verdict, time, cells_.ahead());
    // The store is asked without the lock. Two may ask at once: then both pieces are used.
    const auto need = *verdict.need;
    lock.unlock();
    const auto granted = PATRA_TRY(app::Reserve(ledger_, target, need));
    lock.lock();
    const auto add = [&](const domain::GateCells& cells, const domain::GateTime&) {
      domain::AddQuota(cells, need, granted);
      return true;
    };
    auto& same = LaneOf(target, rules);
    if (mode_ == Mode::kShared && PATRA_TRY(Apply(same, add))) continue;
    add(CellsAlone(same), {});
  }
  return Fail(ErrorCode::kUnavailable, "the quota is used up faster than it can be reserved");
}

Result<RateGate::Decision> RateGate::Decide(Lane& lane, const domain::GateAsk& ask) {
  PATRA_TRY(Settle());
  if (mode_ == Mode::kShared) {
    if (const auto paid = DecideFromPaid(lane, ask)) return *paid;
    if (const auto decided = PATRA_TRY(DecideShared(lane, ask))) return *decided;
  }
  return DecideAlone(lane, ask);
}

std::optional<RateGate::Decision> RateGate::DecideFromPaid(Lane& lane, const domain::GateAsk& ask) {
  if (!options_.books_ahead) return std::nullopt;
  // Others may have been told to stop: what was seen is good for a moment only.
  const auto seen_at = cells_.SeenAt(lane.set);
  if (!seen_at || clock_.Elapsed() - *seen_at > kAhead) return std::nullopt;
  const auto cells = cells_.Seen(lane.set);
  const auto time = cells_.Now();
  std::optional<domain::GateVerdict> verdict;
  if (ask.booking) {
    verdict = domain::WorthOf(lane.rules, cells, *ask.booking, time);
    if (!verdict) return std::nullopt;
  } else {
    DropDeadSlots(lane, time, cells_.ahead());
    const auto index = FindSlot(lane, cells, ask, time);
    if (index < 0) return std::nullopt;
    const auto slot = lane.slots.begin() + index;
    verdict = domain::WorthOf(lane.rules, cells, slot->booking, time);
    lane.slots.erase(slot);
    lane.demand.Count(clock_.Elapsed());
  }
  if (!lane.has_untold()) lane.untold_since = clock_.Elapsed();
  ++(verdict->kind == VerdictKind::kAllow ? lane.untold.permits : lane.untold.waits);
  wake_.notify_one();
  return Decision{*verdict, time};
}

Result<std::optional<RateGate::Decision>> RateGate::DecideShared(Lane& lane,
                                                                 const domain::GateAsk& ask) {
  auto asked = ask;
  Decision decision;
  constexpr int kTriesMax = 3;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    std::vector<PaidSlot> paid;
    int index = -1;
    const bool is_told =
        PATRA_TRY(Apply(lane, [&](const domain::GateCells& cells, const domain::GateTime& time) {
          paid.clear();
          index = FindSlot(lane, cells, asked, time);
          decision.verdict =
              index >= 0
                  ? *domain::WorthOf(lane.rules, cells,
                                     lane.slots[static_cast<std::size_t>(index)].booking, time)
                  : DecideAndPayAhead(lane, cells, asked, time, paid);
          return !options_.books_ahead || IsWorthStoring(decision.verdict);
        }));
    if (!is_told) return std::nullopt;
    if (index >= 0) {
      lane.slots.erase(lane.slots.begin() + index);
      const bool is_allowed = decision.verdict.kind == VerdictKind::kAllow;
      ++(is_allowed ? lane.untold.permits : lane.untold.waits);
    }
    lane.slots.insert(lane.slots.end(), paid.begin(), paid.end());
    const auto& booking = decision.verdict.booking;
    if (booking && !IsSame(booking, asked.booking)) lane.demand.Count(clock_.Elapsed());
    decision.time = cells_.Now();
    const bool is_dead = decision.verdict.kind == VerdictKind::kAllow &&
                         decision.time.now > booking->slot + booking->life;
    if (!is_dead) return decision;
    // The way to Redis took longer than the slot lives: the next one has to live longer.
    asked.booking = booking;
  }
  decision.verdict = {.kind = VerdictKind::kWait,
                      .reason = domain::WaitReason::kPace,
                      .until = decision.time.now + std::chrono::milliseconds(1),
                      .booking = asked.booking};
  return decision;
}

domain::GateVerdict RateGate::DecideAndPayAhead(Lane& lane, const domain::GateCells& cells,
                                                const domain::GateAsk& ask,
                                                const domain::GateTime& time,
                                                std::vector<PaidSlot>& paid) {
  const auto verdict = domain::Decide(lane.rules, cells, ask, time, NewLease());
  const bool is_usual = ask.cost == 1 && !ask.is_retry;
  if (!options_.books_ahead || !is_usual || !verdict.booking ||
      IsSame(verdict.booking, ask.booking))
    return verdict;
  const domain::GateAsk further{
      .deadline = kAhead, .priority = ask.priority, .task = ask.task, .book_ahead = kAhead};
  auto& main = cells.At(lane.rules.feedback_scope);
  const auto wanted = SlotsAhead(lane, clock_.Elapsed());
  for (int i = 0; i < wanted; ++i) {
    // They are counted when somebody takes them, and waits for nobody's turn.
    const auto counts = main.counts;
    const auto turns = main.turns;
    const auto next = domain::Decide(lane.rules, cells, further, time, NewLease());
    main.counts = counts;
    main.turns = turns;
    if (!next.booking) break;
    paid.push_back({*next.booking, ask.priority});
  }
  return verdict;
}

Result<bool> RateGate::Apply(Lane& lane, const Change& change) {
  const auto outcome = PATRA_TRY(cells_.Exchange(
      lane.set, lane.rules, [&](const domain::GateCells& cells, const domain::GateTime& time) {
        lane.changed = Tell(lane, cells, time, cells_.ahead());
        const bool is_worth_it = change(cells, time);
        return is_worth_it || lane.has_untold();
      }));
  if (outcome == SharedCells::Outcome::kAway) {
    GoAway();
    return false;
  }
  lane.events.clear();
  lane.untold = {};
  return true;
}

Result<bool> RateGate::Flush(Lane& lane) {
  return Apply(lane, [](const domain::GateCells&, const domain::GateTime&) { return true; });
}

Result<bool> RateGate::FlushAll() {
  for (auto& [names, lanes] : lanes_) {
    for (auto& lane : lanes) {
      if (lane->has_untold() && !PATRA_TRY(Flush(*lane))) return false;
    }
  }
  return true;
}

Result<domain::GateChange> RateGate::Feedback(const domain::GateTarget& target,
                                              const domain::GateRules& rules,
                                              const domain::GateSignal& signal) {
  const std::lock_guard lock(mutex_);
  PATRA_TRY(Settle());
  auto& lane = LaneOf(target, rules);
  const Event event{.at = clock_.Elapsed(), .signal = signal, .chance = random_.Fraction()};
  if (mode_ != Mode::kShared) return FeedAlone(lane, event);
  if (!lane.has_untold()) lane.untold_since = event.at;
  lane.events.push_back(event);
  const bool can_wait = signal.kind == domain::GateSignal::Kind::kOk && !signal.cool_down;
  if (can_wait && options_.books_ahead && IsBusy(lane, event.at)) {
    wake_.notify_one();
    return domain::GateChange{.share = lane.changed.share};
  }
  // Whatever waited to be told beside it changes nothing.
  if (PATRA_TRY(Flush(lane))) return lane.changed;
  // What is untold is told when Redis is back; until then it holds for us.
  std::erase_if(lane.events, [](const Event& e) { return e.kind == Event::Kind::kFeed; });
  return FeedAlone(lane, event);
}

Result<domain::GateEstimate> RateGate::Estimate(const domain::GateTarget& target,
                                                const domain::GateRules& rules, Duration horizon) {
  std::unique_lock lock(mutex_);
  PATRA_TRY(Settle());
  auto& lane = LaneOf(target, rules);
  domain::GateEstimate estimate;
  const auto reckon = [&](const domain::GateCells& cells, const domain::GateTime& time) {
    estimate = domain::Estimate(lane.rules, cells, time, horizon);
    return true;
  };
  const bool is_shared = mode_ == Mode::kShared && PATRA_TRY(Apply(lane, reckon));
  if (!is_shared) reckon(CellsAlone(lane), cells_.Now());
  if (estimate.blocked_until != domain::kLongAgo) estimate.blocked_until -= cells_.ahead();
  const auto wall = cells_.Now().wall;
  lock.unlock();
  PATRA_TRY(app::BoundByQuotas(estimate, rules, target, ledger_, wall));
  return estimate;
}

Result<std::vector<app::GateStatus>> RateGate::List() {
  const std::lock_guard lock(mutex_);
  auto cells = PATRA_TRY(cells_.ReadAll());
  std::vector<app::GateStatus> list;
  for (const auto& cell : cells) list.push_back(app::StatusOf(cell, cells_.Now()));
  std::ranges::sort(list, {}, &app::GateStatus::key);
  return list;
}

Result<void> RateGate::Reset(const std::string& key) {
  const std::lock_guard lock(mutex_);
  PATRA_TRY(Settle());
  if (mode_ != Mode::kShared) return std::unexpected(Away());
  const auto changed = PATRA_TRY(cells_.ChangeOne(key, domain::EndStops));
  if (!changed) {
    GoAway();
    return std::unexpected(Away());
  }
  if (*changed) return {};
  return std::unexpected(app::NoSuchGateKey(key).Hint("see `patra gate list`"));
}

app::GateReach RateGate::Reach() {
  const std::lock_guard lock(mutex_);
  return {.counts = ReachOf(options_.shared.connect.address.Text()),
          .is_remote = true,
          .is_away = mode_ != Mode::kShared};
}

std::int64_t RateGate::round_trips() {
  const std::lock_guard lock(mutex_);
  return cells_.round_trips();
}

void RateGate::Release(const domain::GateTarget&, domain::LeaseId lease) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(lease);
  if (found == held_.end()) return;
  auto& lane = *found->second;
  held_.erase(found);
  const Event event{.kind = Event::Kind::kRelease, .at = clock_.Elapsed(), .lease = lease};
  if (mode_ != Mode::kShared) {
    FeedAlone(lane, event);
    return;
  }
  if (!lane.has_untold()) lane.untold_since = event.at;
  lane.events.push_back(event);
  if (options_.books_ahead && IsBusy(lane, event.at)) return wake_.notify_one();
  (void)Flush(lane);  // else the lease runs out by itself
}

Lane& RateGate::LaneOf(const domain::GateTarget& target, const domain::GateRules& rules) {
  auto set = CellSet::Of(target, rules);
  std::string names;
  for (const auto& name : set.names) names += name + '\n';
  auto& lanes = lanes_[names];
  const auto now = clock_.Elapsed();
  for (auto& lane : lanes) {
    if (lane->rules != rules || lane->target != target) continue;
    lane->used_at = now;
    return *lane;
  }
  // Rules change with definitions; those that nobody asks by any more need no place.
  if (lanes.size() >= kLanesPerSet) {
    std::erase_if(lanes, [&](const std::unique_ptr<Lane>& lane) {
      const bool is_held = std::ranges::any_of(
          held_, [&](const auto& permit) { return permit.second == lane.get(); });
      return !is_held && !lane->has_untold() && now - lane->used_at > kLaneIdle;
    });
  }
  return *lanes.emplace_back(std::make_unique<Lane>(
      Lane{.target = target, .rules = rules, .set = std::move(set), .used_at = now}));
}

// Tells the others what is due although nobody asks for anything, and looks for a Redis that is away.
void RateGate::RunBeside(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto has_work = [&] {
      return mode_ != Mode::kShared || std::ranges::any_of(lanes_, [](const auto& entry) {
               return std::ranges::any_of(entry.second, [](const std::unique_ptr<Lane>& lane) {
                 return lane->has_untold() || !lane->slots.empty();
               });
             });
    };
    if (!wake_.wait(lock, stop, has_work)) return;
    wake_.wait_for(lock, stop, kBeat, [] { return false; });
    if (stop.stop_requested()) return;
    if (mode_ == Mode::kAway && clock_.Elapsed() >= try_at_) {
      lock.unlock();
      auto connection = Connection::Open(options_.shared.connect);
      lock.lock();
      Return(std::move(connection));
    }
    (void)Settle();  // who asks next is told
    if (mode_ != Mode::kShared) continue;
    const auto now = clock_.Elapsed();
    for (auto& [names, lanes] : lanes_) {
      for (auto& lane : lanes) {
        DropDeadSlots(*lane, cells_.Now(), cells_.ahead());
        const auto after = LimitsConcurrency(lane->rules) ? kTellOfPlacesAfter : kTellAfter;
        if (mode_ == Mode::kShared && lane->has_untold() && now - lane->untold_since >= after)
          (void)Flush(*lane);
      }
    }
  }
}

}  // namespace patra::infra::redis
