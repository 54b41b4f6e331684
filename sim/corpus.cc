#include "sim/corpus.h"

#include <algorithm>

#include "base/result.h"

namespace patra::sim {
namespace {

// The lag of an event behind the item's previous event, as a share of the groups that exist at the
// start, so that small and large worlds look alike; at least `min` groups.
struct Lag {
  std::int64_t divisor = 0;  // 0: the same group
  std::int64_t min = 0;
};

struct Slot {
  int birth;      // the slot in which this event's item was born
  int version;    // of the item after this event
  int successor;  // the slot of the item's next event, or -1
  Lag lag;        // behind the previous event of the item
  bool deletion = false;
  bool late = false;    // carries its time long before it becomes visible
  int eighteenths = 0;  // when in the group's stretch of time it happens
};

// The life of every item. Slots 4 to 9 share one moment, so that small pages, too, are cut between
// equal timestamps. Slot 12 corrects an item on the day of its birth.
constexpr std::array<Slot, Corpus::kSlots> kLives{{
    {.birth = 0, .version = 1, .successor = -1, .lag = {}, .eighteenths = 0},
    {.birth = 1, .version = 1, .successor = 12, .lag = {}, .eighteenths = 1},
    {.birth = 2, .version = 1, .successor = 13, .lag = {}, .eighteenths = 2},
    {.birth = 3, .version = 1, .successor = 15, .lag = {}, .eighteenths = 3},
    {.birth = 4, .version = 1, .successor = -1, .lag = {}, .eighteenths = 4},
    {.birth = 5, .version = 1, .successor = -1, .lag = {}, .eighteenths = 4},
    {.birth = 6, .version = 1, .successor = -1, .lag = {}, .eighteenths = 4},
    {.birth = 7, .version = 1, .successor = -1, .lag = {}, .eighteenths = 4},
    {.birth = 8, .version = 1, .successor = -1, .lag = {}, .eighteenths = 4},
    {.birth = 9, .version = 1, .successor = -1, .lag = {}, .late = true, .eighteenths = 4},
    {.birth = 10, .version = 1, .successor = 16, .lag = {}, .eighteenths = 10},
    {.birth = 11, .version = 1, .successor = 17, .lag = {}, .eighteenths = 11},
    {.birth = 1, .version = 2, .successor = -1, .lag = {}, .eighteenths = 12},
    {.birth = 2, .version = 2, .successor = 14, .lag = {16, 1}, .eighteenths = 13},
    {.birth = 2, .version = 3, .successor = -1, .lag = {5, 2}, .eighteenths = 14},
    {.birth = 3, .version = 2, .successor = -1, .lag = {3, 3}, .eighteenths = 15},
    {.birth = 10,
     .version = 2,
     .successor = -1,
     .lag = {4, 2},
     .deletion = true,
     .eighteenths = 16},
    {.birth = 11,
     .version = 2,
     .successor = -1,
     .lag = {8, 4},
     .deletion = true,
     .eighteenths = 17},
}};

constexpr int kMergeSlot = 17;
constexpr int kMergeTarget = 0;  // lives on in the item born in this slot of the same group

// Every so often a provider reindexes: two thousand events of one and the same second. The other
// groups of a period share its time evenly, so that no silence follows. Periods are counted from
// the start, so that ordinary days come next whatever the size.
constexpr std::int64_t kPeriod = 512;
constexpr std::int64_t kBurstFrom = 256;
constexpr std::int64_t kBurstTo = 384;
constexpr std::int64_t kOrdinary = kPeriod - (kBurstTo - kBurstFrom);

// Time is counted in ticks of which a period has kTicks and an ordinary group takes kTicksPerGroup.
constexpr std::int64_t kTicks = 3 * kPeriod;
constexpr std::int64_t kTicksPerGroup = kTicks / kOrdinary;
static_assert(kTicksPerGroup * kOrdinary == kTicks);

constexpr Duration kWorkingDay = std::chrono::hours(8);

constexpr const Slot& LifeOf(int slot) { return kLives[static_cast<std::size_t>(slot)]; }

std::int64_t Resolve(Lag lag, std::int64_t groups_at_start) {
  return lag.divisor == 0 ? 0 : std::max(lag.min, groups_at_start / lag.divisor);
}

}  // namespace

Corpus::Corpus(const CorpusOptions& options)
    : seed_(options.seed),
      start_(options.start),
      late_by_(options.late_by),
      groups_at_start_(std::max<std::int64_t>(1, (options.size + kBirths - 1) / kBirths)) {
  PATRA_ASSERT(options.begin < options.start);
  tick_ = std::max(Duration(1), (options.start - options.begin) / -PlaceOf(0).ticks);
}

Corpus::GroupPlace Corpus::PlaceOf(std::int64_t group) const {
  const auto ahead = group - groups_at_start_;
  const auto phase = (ahead % kPeriod + kPeriod) % kPeriod;
  const auto period = (ahead - phase) / kPeriod;
  const bool burst = phase >= kBurstFrom && phase < kBurstTo;
  const auto ordinary = std::min(phase, kBurstFrom) + std::max<std::int64_t>(0, phase - kBurstTo);
  return {period * kTicks + ordinary * kTicksPerGroup, burst};
}

Instant Corpus::TimeAt(std::int64_t position) const {
  const auto place = PlaceOf(position / kSlots);
  auto moment = start_ + tick_ * place.ticks;
  if (!place.burst) {
    const auto& life = LifeOf(static_cast<int>(position % kSlots));
    moment += std::min(tick_ * kTicksPerGroup, kWorkingDay) * life.eighteenths / kSlots;
  }
  return std::chrono::floor<std::chrono::seconds>(moment);
}

std::int64_t Corpus::GroupsUntil(Instant moment) const {
  const auto periods = (moment - start_) / (tick_ * kTicks) + 2;  // rounded up, and one to spare
  return std::max<std::int64_t>(0, groups_at_start_ + periods * kPeriod);
}

std::int64_t Corpus::FirstAtOrAfter(Instant moment) const {
  std::int64_t low = 0;
  std::int64_t high = GroupsUntil(moment + std::chrono::seconds(1)) * kSlots;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (TimeAt(middle) < moment) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::int64_t Corpus::VisibleGroups(int slot, Instant now) const {
  const auto delay = LifeOf(slot).late ? late_by_ : Duration::zero();
  std::int64_t low = 0;
  std::int64_t high = GroupsUntil(now + std::chrono::seconds(1));
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (TimeAt(middle * kSlots + slot) + delay <= now) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::optional<Corpus::Successor> Corpus::SuccessorOf(int slot) const {
  const int next = LifeOf(slot).successor;
  if (next < 0) return std::nullopt;
  return Successor{next, Resolve(LifeOf(next).lag, groups_at_start_)};
}

std::int64_t Corpus::LagFromBirth(int slot) const {
  std::int64_t lag = 0;
  for (int at = BirthSlot(slot); at != slot;) {
    const auto next = SuccessorOf(at);
    PATRA_ASSERT(next.has_value());
    lag += next->lag;
    at = next->slot;
  }
  return lag;
}

bool Corpus::IsDeletion(int slot) { return LifeOf(slot).deletion; }
int Corpus::BirthSlot(int slot) { return LifeOf(slot).birth; }

Entry Corpus::EntryAt(std::int64_t position) const {
  const auto slot = static_cast<int>(position % kSlots);
  const auto& life = LifeOf(slot);
  const auto birth_group = position / kSlots - (slot < kBirths ? 0 : LagFromBirth(slot));
  Entry entry;
  entry.item = birth_group * kBirths + life.birth;
  entry.version = life.version;
  entry.deleted = life.deletion;
  if (slot == kMergeSlot) entry.merged_into = birth_group * kBirths + kMergeTarget;
  entry.updated = TimeAt(position);
  entry.created = slot < kBirths ? entry.updated : TimeAt(birth_group * kSlots + life.birth);
  return entry;
}

View::View(const Corpus& corpus, Instant now, Order order, Deletions deletions,
           std::uint32_t births)
    : corpus_(corpus), now_(now), order_(order), deletions_(deletions), births_(births) {
  for (int slot = 0; slot < Corpus::kSlots; ++slot) {
    visible_[static_cast<std::size_t>(slot)] = corpus_.VisibleGroups(slot, now);
  }
  std::int64_t last_group = 0;
  for (int slot = 0; slot < Corpus::kSlots; ++slot) {
    auto& range = current_[static_cast<std::size_t>(slot)];
    range = CurrentGroups(slot);
    range.last = std::max(range.first, range.last);
    last_group = std::max(last_group, range.last);
  }
  last_position_ = last_group * Corpus::kSlots;
}

View::GroupRange View::CurrentGroups(int slot) const {
  if ((births_ >> Corpus::BirthSlot(slot) & 1u) == 0) return {};
  const auto visible = visible_[static_cast<std::size_t>(slot)];
  if (order_ == Order::kByBirth) {
    if (slot >= Corpus::kBirths) return {};
    const bool vanish = deletions_ == Deletions::kHidden;
    return {vanish ? DeletedGroups(slot) : 0, visible};
  }
  if (Corpus::IsDeletion(slot) && deletions_ != Deletions::kListed) return {};
  GroupRange range{corpus_.LagFromBirth(slot), visible};
  if (const auto next = corpus_.SuccessorOf(slot)) {
    const bool ignored = Corpus::IsDeletion(next->slot) && deletions_ == Deletions::kIgnored;
    const auto superseded = visible_[static_cast<std::size_t>(next->slot)] - next->lag;
    if (!ignored) range.first = std::max(range.first, superseded);
  }
  return range;
}

std::int64_t View::DeletedGroups(int birth_slot) const {
  const auto next = corpus_.SuccessorOf(birth_slot);
  if (!next || !Corpus::IsDeletion(next->slot)) return 0;
  return std::max<std::int64_t>(0, visible_[static_cast<std::size_t>(next->slot)] - next->lag);
}

std::int64_t View::RankOf(std::int64_t position) const {
  const auto group = position / Corpus::kSlots;
  const auto slot_end = position % Corpus::kSlots;
  std::int64_t rank = 0;
  for (int slot = 0; slot < Corpus::kSlots; ++slot) {
    const auto& range = current_[static_cast<std::size_t>(slot)];
    const auto before = group + (slot < slot_end ? 1 : 0);
    rank += std::clamp(before, range.first, range.last) - range.first;
  }
  return rank;
}

std::int64_t View::PositionOf(std::int64_t rank) const {
  std::int64_t low = 0;
  std::int64_t high = last_position_ / Corpus::kSlots;
  while (low < high) {  // the last group that starts at or below the rank
    const auto middle = low + (high - low + 1) / 2;
    if (RankOf(middle * Corpus::kSlots) <= rank) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low * Corpus::kSlots;
}

View::Ranks View::Between(Instant from, Instant to) const {
  if (from >= to) return {};
  return {RankOf(corpus_.FirstAtOrAfter(from)), RankOf(corpus_.FirstAtOrAfter(to))};
}

void View::Collect(Ranks ranks, std::vector<Entry>& entries) const {
  if (ranks.count() <= 0) return;
  auto position = PositionOf(ranks.first);
  auto rank = RankOf(position);
  for (; rank < ranks.last && position < last_position_; ++position) {
    const auto group = position / Corpus::kSlots;
    const auto slot = static_cast<int>(position % Corpus::kSlots);
    const auto& range = current_[static_cast<std::size_t>(slot)];
    if (group < range.first || group >= range.last) continue;
    if (rank++ < ranks.first) continue;
    entries.push_back(order_ == Order::kByBirth ? Current(group, slot) : corpus_.EntryAt(position));
  }
}

Entry View::Current(std::int64_t birth_group, int birth_slot) const {
  auto group = birth_group;
  int slot = birth_slot;
  while (const auto next = corpus_.SuccessorOf(slot)) {
    if (group + next->lag >= visible_[static_cast<std::size_t>(next->slot)]) break;
    if (Corpus::IsDeletion(next->slot) && deletions_ == Deletions::kIgnored) break;
    group += next->lag;
    slot = next->slot;
  }
  return corpus_.EntryAt(group * Corpus::kSlots + slot);
}

std::optional<Entry> View::Find(std::int64_t item) const {
  if (item < 0) return std::nullopt;
  const auto group = item / Corpus::kBirths;
  const auto slot = static_cast<int>(item % Corpus::kBirths);
  if (group >= visible_[static_cast<std::size_t>(slot)]) return std::nullopt;
  auto entry = Current(group, slot);
  if (entry.deleted && deletions_ == Deletions::kHidden) return std::nullopt;
  return entry;
}

}  // namespace patra::sim
