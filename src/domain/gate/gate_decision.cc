// A decision looks for the earliest moment that suits every limit, books it in all of them at once, and
// tells the asker to wait for it. Booking ahead is what keeps the allowance used: the slot's time does not
// depend on how late its owner wakes up. How far ahead depends on the urgency, so that a harvest that
// comes later still goes before the backfills that wait.
#include "domain/gate/gate_decision.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace patra::domain {
namespace {

using VerdictKind = GateVerdict::Kind;

constexpr Duration kConcurrencyPoll = std::chrono::milliseconds(5);
constexpr Duration kRampMax = std::chrono::minutes(5);
constexpr Duration kCoolDownMax = std::chrono::days(10 * 366);  // longer ones say no more than that
constexpr int kTransientsBeforeBrake = 3;
constexpr std::int64_t kMillion = AdaptiveRate::kFull;

// A limit as it stands: what the provider told goes before what is configured.
struct Standing {
  Limit limit;
  Duration guard;
  LimitState& state;
  std::size_t index;  // among the limits of its scope

  Duration span() const { return limit.window + guard; }
  Pace pace(const GateRules& rules) const {
    return Pace::Of(limit.count, rules.cost_max, limit.window, guard);
  }
  WindowShape shape() const { return {limit.count, limit.window, limit.offset, guard}; }
  std::int64_t CountAt(std::int64_t share, std::int64_t cost) const {
    if (share == kMillion) return limit.count;
    return std::max(cost,
                    limit.count / kMillion * share + limit.count % kMillion * share / kMillion);
  }
};

template <typename Visit>
void ForEach(const GateRules& rules, const GateCells& cells, Visit visit) {
  std::array<std::size_t, kScopes> seen{};
  for (const auto& limit : rules.limits) {
    const auto index = seen[static_cast<std::size_t>(limit.scope)]++;
    auto& cell = cells.At(limit.scope);
    auto& state = cell.limits[index];
    Standing standing{limit, cell.GuardOf(limit), state, index};
    if (state.told_count > 0) standing.limit.count = std::max(state.told_count, rules.cost_max);
    if (state.told_window > Duration::zero()) standing.limit.window = state.told_window;
    visit(standing);
  }
}

bool IsRate(LimitKind kind) {
  return kind == LimitKind::kPaced || kind == LimitKind::kSlidingWindow ||
         kind == LimitKind::kFixedWindow;
}

GateCell& Main(const GateRules& rules, const GateCells& cells) {
  return cells.At(rules.feedback_scope);
}

// Where failures count: others that share the pace may do well.
GateCell& Circuit(const GateRules& rules, const GateCells& cells) {
  return cells.At(rules.breaker_scope);
}

// Changes with every stop of either.
std::uint64_t StopsOf(const GateRules& rules, const GateCells& cells) {
  return Main(rules, cells).stops + Circuit(rules, cells).stops;
}

Duration OnWall(const GateTime& time, Duration at) {
  return time.wall.time_since_epoch() + (at - time.now);
}

void FillOne(const Standing& s, const GateRules& rules, const GateTime& time) {
  switch (s.limit.kind) {
    case LimitKind::kPaced:
      return s.state.slots.Fill(time.now, s.pace(rules));
    case LimitKind::kSlidingWindow:
      return s.state.log.Fill(time.now, s.limit.count, s.span());
    case LimitKind::kFixedWindow:
      return s.state.window.Fill(time.now, s.shape());
    case LimitKind::kConcurrency:
      return s.state.leases.Fill(time.now, s.limit.count, s.limit.window);
    case LimitKind::kQuota:
      return;  // the store remembers it
  }
}

void PrepareOne(const Standing& s, const GateRules& rules, const GateTime& time) {
  s.state.kind = s.limit.kind;
  s.state.is_set = true;
  if (s.limit.kind == LimitKind::kPaced) s.state.slots.Adopt(time.now, s.pace(rules));
  if (s.limit.kind == LimitKind::kFixedWindow)
    s.state.window.Observe(time.now, time.wall.time_since_epoch(), s.shape());
}

Duration LongestWindow(const GateRules& rules) {
  auto longest = Duration::zero();
  for (const auto& limit : rules.limits) {
    if (IsRate(limit.kind)) longest = std::max(longest, limit.window);
  }
  return longest;
}

// An eighth of the shortest window: beyond that, too little of the allowance would be left.
Duration LifeMax(const GateRules& rules) {
  auto most = Duration(std::chrono::seconds(1));
  for (const auto& limit : rules.limits) {
    if (IsRate(limit.kind)) most = std::min(most, limit.window / 8);
  }
  return most;
}

template <typename Visit>
void ForEachCell(const GateRules& rules, const GateCells& cells, Visit visit) {
  std::array<bool, kScopes> seen{};
  for (const auto& limit : rules.limits) {
    if (!std::exchange(seen[static_cast<std::size_t>(limit.scope)], true))
      visit(cells.At(limit.scope));
  }
}

void UseLives(const GateRules& rules, const GateCells& cells, Duration now) {
  const auto base = rules.SlotLife();
  const auto window = LongestWindow(rules);
  ForEachCell(rules, cells, [&](GateCell& cell) { cell.life.Use(now, base, window); });
}

// Every cell has to guard against it.
Duration LifeNow(const GateRules& rules, const GateCells& cells) {
  const auto base = rules.SlotLife();
  auto life = Duration::max();
  ForEachCell(rules, cells, [&](GateCell& cell) { life = std::min(life, cell.life.Of(base)); });
  return life;
}

void NoteLateness(const GateRules& rules, const GateCells& cells, Duration now, Duration lateness) {
  const auto base = rules.SlotLife();
  const auto most = LifeMax(rules);
  ForEachCell(rules, cells, [&](GateCell& cell) { cell.life.Late(now, lateness, base, most); });
}

// Brings the states in line with the rules. A limit of another kind than the one remembered knows nothing
// about the past, so its window counts as used.
void Prepare(const GateRules& rules, const GateCells& cells, const GateTime& time) {
  UseLives(rules, cells, time.now);
  ForEach(rules, cells, [&](const Standing& s) {
    const bool is_foreign = s.state.is_set && s.state.kind != s.limit.kind;
    if (is_foreign) s.state = LimitState{};
    PrepareOne(s, rules, time);
    if (is_foreign) FillOne(s, rules, time);
  });
}

struct Found {
  Duration at;
  WaitReason reason = WaitReason::kNone;
  bool is_settled = false;  // every limit agrees with `at`
};

// Where the provider says what is left in its window, that goes before what we reckon.
Duration ToldEarliest(const LimitState& state, Duration at, std::int64_t cost) {
  return at < state.told_until && state.told_left < cost ? state.told_until : at;
}

Found EarliestSlot(const GateRules& rules, const GateCells& cells, std::int64_t cost,
                   const GateTime& time) {
  constexpr int kRoundsMax = 8;
  Found found{.at = time.now};
  const auto& rate = Main(rules, cells).rate;
  for (int round = 0; round < kRoundsMax && !found.is_settled; ++round) {
    found.is_settled = true;
    ForEach(rules, cells, [&](const Standing& s) {
      auto at = found.at;
      auto reason = WaitReason::kWindow;
      if (s.limit.kind == LimitKind::kPaced) {
        at = s.state.slots.Earliest(at);
        reason = WaitReason::kPace;
      } else if (s.limit.kind == LimitKind::kSlidingWindow) {
        at = s.state.log.Earliest(at, cost, s.CountAt(rate.ShareAt(at), cost), s.span());
      } else if (s.limit.kind == LimitKind::kFixedWindow) {
        auto shape = s.shape();
        shape.count = s.CountAt(rate.ShareAt(at), cost);
        at = s.state.window.Earliest(at, cost, shape);
      }
      if (const auto told = ToldEarliest(s.state, at, cost); told > at) {
        at = told;
        reason = WaitReason::kWindow;
      }
      if (at > found.at) found = {.at = at, .reason = reason};
    });
  }
  return found;
}

// Of the window that `wall` falls into, as the provider's clock has it.
std::int64_t KeptAt(const Standing& s, Duration wall) {
  return KeptBack(s.limit, Instant(wall - s.guard));
}

// When enough of what is kept for others has become free that asking again is worth it.
Duration FreedWithin(const Limit& limit, std::int64_t piece) {
  const auto part = static_cast<double>(piece) / static_cast<double>(limit.kept);
  const auto time = std::chrono::duration<double>(limit.window) * std::min(part, 1.0);
  return std::max<Duration>(std::chrono::duration_cast<Duration>(time), std::chrono::minutes(1));
}

// The reserve is spread over what is left of the window.
Duration SlowSpacing(const Standing& s, Duration wall, std::int64_t cost) {
  const auto shape = s.shape();
  const auto end = shape.StartOf(shape.NumberAt(wall - s.guard) + 1);
  return std::max(end - wall, Duration::zero()) / std::max<std::int64_t>(s.limit.reserve, 1) * cost;
}

// Of what an asker may take of the quotas.
struct Exhausted {
  Duration until{};
  bool leaves_rest = false;  // of each of them, see GateVerdict
};

std::optional<QuotaNeed> MissingQuota(const GateRules& rules, const GateCells& cells,
                                      std::int64_t cost, const GateTime& time, Duration at,
                                      std::optional<Exhausted>& exhausted) {
  std::optional<QuotaNeed> need;
  ForEach(rules, cells, [&](const Standing& s) {
    if (s.limit.kind != LimitKind::kQuota || need) return;
    const auto shape = s.shape();
    const auto number = shape.NumberAt(OnWall(time, at) - s.guard);
    auto keep = KeptAt(s, OnWall(time, at));
    auto piece = QuotaShare::PieceOf(s.limit.count, cost);
    auto state = s.state.quota.For(number, cost, keep);
    const bool leaves_rest = s.state.quota.For(number, cost, 0) != QuotaShare::State::kExhausted;
    const auto wait_for = [&](Duration until) {
      if (!exhausted) exhausted = {.until = until, .leaves_rest = leaves_rest};
      exhausted->until = std::max(exhausted->until, until);
      exhausted->leaves_rest = exhausted->leaves_rest && leaves_rest;
    };
    if (state == QuotaShare::State::kExhausted && s.limit.spends_reserve && keep > 0) {
      if (at < s.state.quota.next_slow()) return wait_for(s.state.quota.next_slow());
      keep = 0;
      piece = cost;
      state = s.state.quota.For(number, cost, keep);
    }
    if (state == QuotaShare::State::kEnough) return;
    if (state == QuotaShare::State::kExhausted) {
      const auto next = shape.StartOf(number + 1) + s.guard - OnWall(time, at) + at;
      return wait_for(s.limit.kept > 0 ? std::min(next, at + FreedWithin(s.limit, piece)) : next);
    }
    need = QuotaNeed{s.limit.scope,
                     s.index,
                     number,
                     Instant(shape.StartOf(number)),
                     Instant(shape.StartOf(number + 1)),
                     s.limit.count,
                     keep,
                     piece};
  });
  return need;
}

// The average distance of requests: the slowest limit's.
Duration Spacing(const GateRules& rules, const GateCells& cells) {
  Duration spacing{};
  ForEach(rules, cells, [&](const Standing& s) {
    if (IsRate(s.limit.kind)) spacing = std::max(spacing, s.span() / s.limit.count);
  });
  return spacing;
}

Duration HorizonOf(GatePriority priority, Duration spacing) {
  using std::chrono::milliseconds;
  switch (priority) {
    case GatePriority::kHarvest:
      return std::max<Duration>(8 * spacing, milliseconds(1'000));
    case GatePriority::kUpdate:
      return std::max<Duration>(4 * spacing, milliseconds(50));
    case GatePriority::kBackfill:
      break;
  }
  return std::max<Duration>(2 * spacing, milliseconds(20));
}

bool LimitsConcurrency(const GateRules& rules) {
  return std::ranges::any_of(
      rules.limits, [](const Limit& limit) { return limit.kind == LimitKind::kConcurrency; });
}

void GiveBack(const GateCells& cells, LeaseId lease, Duration at) {
  if (lease == 0) return;
  for (auto* cell : cells.of) {
    if (cell == nullptr) continue;
    for (auto& limit : cell->limits) limit.leases.Release(lease, at);
  }
}

// Held from now on, for as long after the slot as a request may take.
bool TakeLeases(const GateRules& rules, const GateCells& cells, const GateTime& time, Duration slot,
                LeaseId lease) {
  bool has_all = true;
  ForEach(rules, cells, [&](const Standing& s) {
    if (s.limit.kind != LimitKind::kConcurrency || !has_all) return;
    const auto length = slot - time.now + LifeMax(rules) + s.limit.window;
    has_all = s.state.leases.Take(time.now, s.limit.count, length, lease) != 0;
  });
  if (!has_all) GiveBack(cells, lease, time.now);
  return has_all;
}

void SpendQuota(const Standing& s, std::int64_t cost, Duration at, const GateTime& time) {
  const auto wall = OnWall(time, at);
  const auto state = s.state.quota.For(s.shape().NumberAt(wall - s.guard), cost, KeptAt(s, wall));
  if (state != QuotaShare::State::kExhausted) return s.state.quota.Spend(cost);
  s.state.quota.SpendSlowly(cost, at + SlowSpacing(s, wall, cost));
}

void BookSlot(const GateRules& rules, const GateCells& cells, const GateAsk& ask, Duration at,
              const GateTime& time) {
  auto& main = Main(rules, cells);
  const auto share = main.rate.ShareAt(at);
  ForEach(rules, cells, [&](const Standing& s) {
    if (at < s.state.told_until) s.state.told_left -= ask.cost;
    switch (s.limit.kind) {
      case LimitKind::kPaced:
        return s.state.slots.Book(at, ask.cost, share);
      case LimitKind::kSlidingWindow:
        return s.state.log.Book(at, ask.cost, s.limit.count, s.span());
      case LimitKind::kFixedWindow:
        return s.state.window.Book(at, ask.cost, s.shape());
      case LimitKind::kQuota:
        return SpendQuota(s, ask.cost, at, time);
      case LimitKind::kConcurrency:
        return;
    }
  });
  main.booked += static_cast<std::uint64_t>(ask.cost);
  main.turns.Takes(ask.task);
  auto& retries = Circuit(rules, cells).retries;
  if (ask.is_retry) {
    retries.Retry();
  } else {
    retries.FirstTry(rules);
  }
}

// What a booking from an earlier answer is worth by now; nothing where its time has passed.
std::optional<GateVerdict> Redeem(const GateRules& rules, const GateCells& cells,
                                  const Booking& booking, const GateTime& time) {
  auto& main = Main(rules, cells);
  if (const auto worth = WorthOf(rules, cells, booking, time)) {
    if (worth->kind == VerdictKind::kAllow) ++main.counts.permits;
    return worth;
  }
  const bool is_void = booking.stops != StopsOf(rules, cells);
  if (!is_void) NoteLateness(rules, cells, time.now, time.now - booking.slot);
  ++main.counts.lost_slots;
  GiveBack(cells, booking.lease, time.now);
  return std::nullopt;
}

GateVerdict WaitOrReject(GateCell& main, WaitReason reason, Duration until, const GateAsk& ask,
                         const GateTime& time) {
  const bool is_worth_it = until - time.now <= ask.deadline;
  ++(is_worth_it ? main.counts.waits : main.counts.rejects);
  return {.kind = is_worth_it ? VerdictKind::kWait : VerdictKind::kReject,
          .reason = reason,
          .until = until};
}

// Nothing is sent before, but for a probe where that is long.
Duration FrozenUntil(const GateCell& main, Duration now) {
  return now < main.frozen_until ? std::min(main.frozen_until, main.probe_at) : main.frozen_until;
}

// What stops everything, whatever the limits say.
std::optional<GateVerdict> Stopped(const GateRules& rules, const GateCells& cells,
                                   const GateAsk& ask, const GateTime& time) {
  auto& main = Main(rules, cells);
  const auto& circuit = Circuit(rules, cells);
  if (main.is_refused) {
    ++main.counts.rejects;
    return GateVerdict{.kind = VerdictKind::kReject,
                       .reason = WaitReason::kRefused,
                       .until = time.now + std::chrono::hours(1)};
  }
  if (const auto until = FrozenUntil(main, time.now); time.now < until)
    return WaitOrReject(main, WaitReason::kCoolDown, until, ask, time);
  const auto closed = circuit.breaker.Earliest(time.now, rules.breaker);
  if (closed > time.now) return WaitOrReject(main, WaitReason::kBreaker, closed, ask, time);
  if (ask.is_retry && !circuit.retries.MayRetry(rules)) {
    ++main.counts.rejects;
    return GateVerdict{.kind = VerdictKind::kReject,
                       .reason = WaitReason::kRetryBudget,
                       .until = time.now + rules.breaker.open_for_max};
  }
  return std::nullopt;
}

// The time over which the rate climbs after a stop: one window.
Duration RampOf(const GateRules& rules) {
  for (const auto& limit : rules.limits) {
    if (IsRate(limit.kind)) return std::min(limit.window, kRampMax);
  }
  return std::chrono::seconds(1);
}

// Whether that made it longer.
bool Freeze(const GateRules& rules, GateCell& main, Duration wait, const GateTime& time,
            double chance) {
  const auto bounded = std::clamp(wait, Duration::zero(), kCoolDownMax);
  const auto jitter = static_cast<double>(bounded.count()) * (0.05 + 0.10 * chance);
  const auto until = time.now + bounded + Duration(static_cast<std::int64_t>(jitter));
  if (until <= main.frozen_until) return false;
  main.frozen_until = until;
  main.frozen_at = time.now;
  main.probe_at = time.now + rules.probe_every;
  ++main.stops;
  ++main.counts.cool_downs;
  main.rate.SlowStart(until, RampOf(rules));
  return true;
}

// The slowest that complaints can make it, as a share of the configured rate.
std::int64_t ThrottledFloor(const GateRules& rules) {
  for (const auto& limit : rules.limits) {
    if (!IsRate(limit.kind)) continue;
    const auto seconds = std::chrono::duration<double>(limit.window).count();
    const auto share = rules.adapt.rate_min_per_second * seconds / static_cast<double>(limit.count);
    return std::max(
        AdaptiveRate::kShareMin,
        static_cast<std::int64_t>(std::min(share, 1.0) * static_cast<double>(kMillion)));
  }
  return AdaptiveRate::kShareMin;
}

// Whether it is slower than before.
bool Cut(const GateRules& rules, GateCell& main, const GateSignal& signal, const GateTime& time,
         std::int64_t floor) {
  if (!main.rate.Cut(time.now, signal.sent_at, rules.adapt, floor)) return false;
  ++main.counts.cuts;
  return true;
}

// Whether that opened it.
bool FeedBreaker(const GateRules& rules, GateCell& circuit, const GateSignal& signal,
                 const GateTime& time, double chance) {
  if (!circuit.breaker.Fail(time.now, signal.sent_at, rules.breaker, chance)) return false;
  ++circuit.stops;
  ++circuit.counts.openings;
  return true;
}

// Takes a number from the provider where it lowers what is configured, or where it may raise it.
template <typename Number>
void Believe(Number told, Number configured, bool may_raise, Number& kept) {
  if (told < configured || may_raise) kept = told;
  if (told == configured) kept = Number{};
}

// Whether what is left until the reset says more than we reckon ourselves. It is told in whole seconds: of a window that is no
// longer than that we know better, unless the reset lies far beyond it.
bool SpeaksOfMore(const Limit& limit, const GateSignal& signal) {
  constexpr Duration kGrain = std::chrono::seconds(1);
  const bool is_evenly_spent =
      limit.kind == LimitKind::kPaced || limit.kind == LimitKind::kSlidingWindow;
  return is_evenly_spent && signal.reset_in && *signal.reset_in > Duration::zero() &&
         (limit.window > kGrain || *signal.reset_in > limit.window + kGrain);
}

void TakeTold(const GateRules& rules, const GateCells& cells, const GateSignal& signal,
              const GateTime& time) {
  const auto& told = rules.limits[static_cast<std::size_t>(rules.told_limit)];
  bool had_concurrency = false;
  std::array<std::size_t, kScopes> seen{};
  for (const auto& limit : rules.limits) {
    auto& state = cells.At(limit.scope).limits[seen[static_cast<std::size_t>(limit.scope)]++];
    if (limit.kind == LimitKind::kConcurrency) {
      if (signal.concurrency && *signal.concurrency > 0 && !had_concurrency) {
        Believe(std::min(*signal.concurrency, kConcurrencyMax), limit.count, rules.told_may_raise,
                state.told_count);
      }
      had_concurrency = true;
    }
    if (&limit != &told || limit.kind == LimitKind::kConcurrency) continue;

    // A count without its window says too little to raise anything but a quota, whose window is known.
    const bool may_raise =
        rules.told_may_raise && (signal.interval || limit.kind == LimitKind::kQuota);
    if (signal.limit && *signal.limit > 0) {
      const auto window = signal.interval.value_or(limit.window);
      const bool is_slower =
          std::chrono::duration<double>(window).count() * static_cast<double>(limit.count) >
          std::chrono::duration<double>(limit.window).count() * static_cast<double>(*signal.limit);
      const bool is_same = *signal.limit == limit.count && window == limit.window;
      if (is_slower || may_raise || is_same) {
        state.told_count = is_same ? 0 : *signal.limit;
        state.told_window = is_same ? Duration::zero() : window;
      }
    }
    // What is left says something about windows that end. In a sliding one, used to the full, next to
    // nothing is always left; but then its end is near, too.
    if (signal.remaining) {
      const auto later = static_cast<std::int64_t>(Main(rules, cells).booked - signal.booked);
      const auto left = std::max<std::int64_t>(*signal.remaining - later, 0);
      const auto guard = cells.At(limit.scope).GuardOf(limit);
      const WindowShape shape{state.told_count > 0 ? state.told_count : limit.count, limit.window,
                              limit.offset, guard};
      if (limit.kind == LimitKind::kFixedWindow) state.window.Cap(time.now, left, shape);
      if (SpeaksOfMore(limit, signal)) {
        state.told_left = left;
        state.told_until = time.now + std::min(*signal.reset_in + guard, rules.probe_every);
      }
      if (limit.kind == LimitKind::kQuota)
        state.quota.Cap(shape.NumberAt(OnWall(time, time.now) - guard), left);
    }
  }
}

// While harvests wait for others, the others get no more than the part that is left to them; when to ask again.
std::optional<Duration> MustMakeWay(const GateRules& rules, GateCell& main, const GateAsk& ask,
                                    Duration slot, Duration now, Duration spacing) {
  if (rules.urgent_rate == 0) return std::nullopt;
  if (ask.priority == GatePriority::kHarvest) {
    if (slot - now > spacing) main.urgent_waited_at = now;
    return std::nullopt;
  }
  const auto remembered = std::max<Duration>(10 * spacing, std::chrono::seconds(1));
  if (now - main.urgent_waited_at > remembered || slot >= main.less_urgent_next)
    return std::nullopt;
  return std::max(main.less_urgent_next, now + Duration(1));
}

void TakeTurn(const GateRules& rules, GateCell& main, const GateAsk& ask, Duration slot,
              Duration spacing) {
  if (rules.urgent_rate == 0 || ask.priority == GatePriority::kHarvest) return;
  const auto times = static_cast<double>(ask.cost) * static_cast<double>(kMillion) /
                     static_cast<double>(kMillion - rules.urgent_rate);
  const std::chrono::duration<double> longest = std::chrono::days(366);
  const auto wait = std::min(std::chrono::duration<double>(spacing) * times, longest);
  main.less_urgent_next = slot + std::chrono::duration_cast<Duration>(wait);
}

}  // namespace

GatePriority UrgencyOf(int task_priority) {
  if (task_priority <= 3) return GatePriority::kHarvest;
  return task_priority <= 5 ? GatePriority::kUpdate : GatePriority::kBackfill;
}

std::int64_t KeptBack(const Limit& limit, Instant wall) {
  if (limit.kept == 0) return limit.reserve;
  const WindowShape shape{limit.count, limit.window, limit.offset, {}};
  const auto at = wall.time_since_epoch();
  const auto left = shape.StartOf(shape.NumberAt(at) + 1) - at;
  const auto part =
      std::chrono::duration<double>(left) / std::chrono::duration<double>(limit.window);
  return limit.reserve + static_cast<std::int64_t>(static_cast<double>(limit.kept) * part);
}

GateVerdict Decide(const GateRules& rules, const GateCells& cells, const GateAsk& ask,
                   const GateTime& time, LeaseId new_lease) {
  auto& main = Main(rules, cells);
  if (ask.booking) {
    if (const auto redeemed = Redeem(rules, cells, *ask.booking, time)) return *redeemed;
  }
  Prepare(rules, cells, time);
  if (const auto stopped = Stopped(rules, cells, ask, time)) return *stopped;

  const auto found = EarliestSlot(rules, cells, ask.cost, time);
  std::optional<Exhausted> exhausted;
  const auto need = MissingQuota(rules, cells, ask.cost, time, found.at, exhausted);
  if (exhausted) {
    auto verdict = WaitOrReject(main, WaitReason::kQuota, exhausted->until, ask, time);
    verdict.leaves_rest = exhausted->leaves_rest;
    return verdict;
  }
  if (need) return {.kind = VerdictKind::kNeedsQuota, .reason = WaitReason::kQuota, .need = need};
  if (found.at - time.now > ask.deadline)
    return WaitOrReject(main, found.reason, found.at, ask, time);

  const auto spacing = Spacing(rules, cells);
  if (const auto until = MustMakeWay(rules, main, ask, found.at, time.now, spacing))
    return WaitOrReject(main, WaitReason::kTurn, *until, ask, time);
  const auto horizon = std::max(HorizonOf(ask.priority, spacing), ask.book_ahead);
  if (!found.is_settled || found.at - time.now > horizon) {
    const auto until = std::max(found.at - horizon, time.now + Duration(1));
    main.turns.Waits(ask.task, until, spacing + rules.SlotLife());
    return WaitOrReject(main, found.reason, until, ask, time);
  }
  if (main.turns.MustYield(ask.task, time.now, rules.quantum))
    return WaitOrReject(main, WaitReason::kTurn, time.now + std::max(spacing, Duration(1)), ask,
                        time);
  const auto lease = LimitsConcurrency(rules) ? new_lease : LeaseId{0};
  if (lease != 0 && !TakeLeases(rules, cells, time, found.at, lease)) {
    main.turns.Waits(ask.task, time.now + kConcurrencyPoll, spacing);
    return WaitOrReject(main, WaitReason::kConcurrency, time.now + kConcurrencyPoll, ask, time);
  }

  BookSlot(rules, cells, ask, found.at, time);
  TakeTurn(rules, main, ask, found.at, spacing);
  if (time.now < main.frozen_until) main.probe_at = found.at + rules.probe_every;
  Circuit(rules, cells).breaker.Enter(time.now, rules.breaker);
  const Booking booking{found.at, LifeNow(rules, cells), StopsOf(rules, cells), main.booked, lease};
  if (found.at <= time.now) {
    ++main.counts.permits;
    return {.booking = booking};
  }
  ++main.counts.waits;
  return {
      .kind = VerdictKind::kWait, .reason = found.reason, .until = found.at, .booking = booking};
}

std::optional<GateVerdict> WorthOf(const GateRules& rules, const GateCells& cells,
                                   const Booking& booking, const GateTime& time) {
  if (booking.stops != StopsOf(rules, cells)) return std::nullopt;
  if (time.now < booking.slot) {
    return GateVerdict{.kind = VerdictKind::kWait,
                       .reason = WaitReason::kPace,
                       .until = booking.slot,
                       .booking = booking};
  }
  if (time.now > booking.slot + booking.life) return std::nullopt;
  return GateVerdict{.booking = booking};
}

void Charge(const GateRules& rules, const GateCells& cells, const Unbooked& request,
            const GateTime& time) {
  Prepare(rules, cells, time);
  ForEach(rules, cells, [&](const Standing& s) {
    // What has left the window is nobody's business any more.
    if (IsRate(s.limit.kind) && request.at + s.span() < time.now) return;
    switch (s.limit.kind) {
      case LimitKind::kPaced:
        return s.state.slots.Charge(request.at, request.cost, request.share);
      case LimitKind::kSlidingWindow:
        // The log is in order: what comes late is counted as if it had gone with the last one.
        return s.state.log.Book(std::max(request.at, s.state.log.last()), request.cost,
                                s.limit.count, s.span());
      case LimitKind::kFixedWindow:
        return s.state.window.Book(request.at, request.cost, s.shape());
      case LimitKind::kConcurrency:
        if (request.lease != 0)
          s.state.leases.Take(time.now, s.limit.count, s.limit.window, request.lease);
        return;
      case LimitKind::kQuota:
        return;  // the store has counted it
    }
  });
  Main(rules, cells).booked += static_cast<std::uint64_t>(request.cost);
}

void AddQuota(const GateCells& cells, const QuotaNeed& need, std::int64_t granted) {
  cells.At(need.scope)
      .limits[need.index]
      .quota.Add(need.window, granted, granted < need.piece, need.keep);
}

void Release(const GateCells& cells, LeaseId lease, Duration now) {
  auto later_by = Duration::zero();
  for (const auto* cell : cells.of) {
    if (cell != nullptr) later_by = std::max(later_by, cell->EndSeenLaterBy());
  }
  GiveBack(cells, lease, now + later_by);
}

void ReleaseGone(const GateCells& cells, Duration now,
                 const std::function<bool(LeaseOwner)>& is_gone) {
  constexpr Duration kProviderGoesOn = std::chrono::milliseconds(500);
  for (auto* cell : cells.of) {
    if (cell == nullptr) continue;
    for (auto& limit : cell->limits) limit.leases.ReleaseGone(now + kProviderGoesOn, is_gone);
  }
}

void AssumeFull(const GateRules& rules, const GateCells& cells, const GateTime& time) {
  UseLives(rules, cells, time.now);
  ForEach(rules, cells, [&](const Standing& s) {
    if (s.state.is_set) return;
    PrepareOne(s, rules, time);
    FillOne(s, rules, time);
  });
}

GateChange Feed(const GateRules& rules, const GateCells& cells, const GateSignal& signal,
                const GateTime& time, double chance) {
  GateChange change{.share = Main(rules, cells).rate.SteadyShareAt(time.now)};
  if (signal.delay) {
    ForEachCell(rules, cells, [&](GateCell& cell) { cell.delays.Saw(time.now, *signal.delay); });
  }
  Prepare(rules, cells, time);
  auto& main = Main(rules, cells);
  auto& circuit = Circuit(rules, cells);
  TakeTold(rules, cells, signal, time);
  switch (signal.kind) {
    case GateSignal::Kind::kOk: {
      // A probe that is answered ends the stop; what was under way when it began says nothing about it.
      if (time.now < main.frozen_until && signal.sent_at > main.frozen_at)
        main.frozen_until = time.now;
      if (circuit.breaker.Succeed(time.now, signal.sent_at))
        main.rate.SlowStart(time.now, RampOf(rules));
      const bool is_saturated = EarliestSlot(rules, cells, 1, time).at > time.now;
      main.rate.Raise(time.now, RampOf(rules), is_saturated, rules.adapt);
      break;
    }
    case GateSignal::Kind::kRejected:
      circuit.breaker.Succeed(time.now, signal.sent_at);
      break;
    case GateSignal::Kind::kThrottled: {
      ++main.counts.throttled;
      // Others that were under way when the first complaint came bring no news, unless they name a time.
      const bool is_news = Main(rules, cells).frozen_until <= time.now;
      if (!signal.cool_down && is_news)
        change.is_frozen = Freeze(rules, main, rules.cool_down_default, time, chance);
      change.is_slowed = Cut(rules, main, signal, time, ThrottledFloor(rules));
      change.is_opened = FeedBreaker(rules, circuit, signal, time, chance);
      break;
    }
    case GateSignal::Kind::kTransient:
      ++main.counts.failures;
      change.is_opened = FeedBreaker(rules, circuit, signal, time, chance);
      if (circuit.breaker.failures() >= kTransientsBeforeBrake)
        change.is_slowed = Cut(rules, main, signal, time, rules.adapt.policy_floor);
      break;
    case GateSignal::Kind::kRefused:
      ++main.counts.failures;
      main.is_refused = true;
      break;
    case GateSignal::Kind::kSlowDown:
      main.rate.Cap(time.now, signal.share, time.now + signal.span);
      ++main.counts.cuts;
      change.is_slowed = true;
      break;
    case GateSignal::Kind::kOpenCircuit:
      if (!circuit.breaker.Open(time.now, signal.span)) break;
      ++circuit.stops;
      ++circuit.counts.openings;
      change.is_opened = true;
      break;
  }
  if (signal.cool_down) change.is_frozen = Freeze(rules, main, *signal.cool_down, time, chance);
  if (change.is_frozen) change.stopped_for = FrozenUntil(main, time.now) - time.now;
  if (change.is_opened) {
    const auto closed_for = circuit.breaker.Earliest(time.now, rules.breaker) - time.now;
    change.stopped_for = std::max(change.stopped_for, closed_for);
  }
  return change;
}

GateEstimate Estimate(const GateRules& rules, const GateCells& cells, const GateTime& time,
                      Duration horizon) {
  Prepare(rules, cells, time);
  auto& main = Main(rules, cells);
  GateEstimate estimate{.permits = std::numeric_limits<std::int64_t>::max(),
                        .concurrency = kConcurrencyMax};
  const auto found = EarliestSlot(rules, cells, 1, time);
  estimate.blocked_until = found.at;
  estimate.reason = found.reason;
  if (const auto until = FrozenUntil(main, time.now); until > estimate.blocked_until) {
    estimate.blocked_until = until;
    estimate.reason = WaitReason::kCoolDown;
  }
  const auto closed = Circuit(rules, cells).breaker.Earliest(time.now, rules.breaker);
  if (closed > estimate.blocked_until) {
    estimate.blocked_until = closed;
    estimate.reason = WaitReason::kBreaker;
  }
  const auto usable = std::max(time.now + horizon - estimate.blocked_until, Duration::zero());
  const auto share = main.rate.ShareAt(estimate.blocked_until);
  ForEach(rules, cells, [&](const Standing& s) {
    if (IsRate(s.limit.kind)) {
      const auto per_second = static_cast<double>(s.CountAt(share, 1)) /
                              std::chrono::duration<double>(s.span()).count();
      const auto most =
          static_cast<std::int64_t>(per_second * std::chrono::duration<double>(usable).count());
      if (most < estimate.permits) {
        estimate.permits = most;
        estimate.more_from.reset();
      }
      estimate.concurrency =
          std::min(estimate.concurrency, static_cast<std::int64_t>(per_second) + 1);
    } else if (s.limit.kind == LimitKind::kConcurrency) {
      estimate.concurrency = std::min(estimate.concurrency, s.limit.count);
    } else if (const auto most = s.limit.count - KeptAt(s, OnWall(time, time.now));
               most < estimate.permits) {
      const auto shape = s.shape();
      estimate.permits = most;
      estimate.more_from =
          Instant(shape.StartOf(shape.NumberAt(OnWall(time, time.now) - s.guard) + 1)) + s.guard;
    }
  });
  if (main.is_refused) {
    estimate = {.permits = 0, .concurrency = 0, .reason = WaitReason::kRefused};
  }
  return estimate;
}

}  // namespace patra::domain
