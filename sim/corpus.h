// A provider's world, computed instead of stored: which items exist, which versions they went
// through and when, deterministic from a few numbers and without memory per item.
//
// The history is a sequence of groups, each with the same kSlots events: twelve items are born, and
// a few older ones are revised, deleted or merged into others. Which earlier group a revision
// belongs to depends only on the slot. So for any moment the current versions in one slot are an
// unbroken range of groups, and counting, ranking and searching are arithmetic on kSlots ranges.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace patra::sim {

struct CorpusOptions {
  std::uint64_t seed = 1;
  std::int64_t size = 10'000;  // items that were born before `start`; rounded up to whole groups
  Instant begin;               // when the history begins
  Instant start;               // world time at the start; history goes on behind it
  Duration late_by = std::chrono::hours(36);  // how long a late arrival stays invisible
};

// One version of one item.
struct Entry {
  std::int64_t item = 0;
  int version = 1;
  bool deleted = false;
  std::int64_t merged_into = -1;  // where a deleted item lives on
  Instant updated;
  Instant created;
};

class Corpus {
 public:
  static constexpr int kSlots = 18;
  static constexpr int kBirths = 12;  // slots 0..11 of a group bear an item each

  explicit Corpus(const CorpusOptions& options);

  std::uint64_t seed() const { return seed_; }

  // Event `position` = group * kSlots + slot. Times never fall with the position; many are equal.
  Instant TimeAt(std::int64_t position) const;
  std::int64_t FirstAtOrAfter(Instant moment) const;  // the first position with that time or later

  Entry EntryAt(std::int64_t position) const;

  // Groups of which this slot's event is visible at `now`. Visible groups are always the first
  // ones.
  std::int64_t VisibleGroups(int slot, Instant now) const;

  // How many groups after the event in `slot` the item's next event comes, and in which slot;
  // nothing for an item's last version.
  struct Successor {
    int slot;
    std::int64_t lag;
  };
  std::optional<Successor> SuccessorOf(int slot) const;

  std::int64_t LagFromBirth(int slot) const;
  static bool IsDeletion(int slot);
  static int BirthSlot(int slot);

 private:
  struct GroupPlace {
    std::int64_t ticks;  // from the start, negative before it
    bool burst;          // all its events come in one moment
  };
  GroupPlace PlaceOf(std::int64_t group) const;
  std::int64_t GroupsUntil(Instant moment) const;  // an upper bound

  std::uint64_t seed_;
  Instant start_;
  Duration tick_;
  Duration late_by_;
  std::int64_t groups_at_start_;
};

// What a provider shows at one moment. Cheap to make, immutable.
class View {
 public:
  enum class Order { kByUpdate, kByBirth };
  enum class Deletions {
    kListed,   // as records that say "deleted" (OAI-PMH)
    kHidden,   // the item is gone and nothing says so (PubMed)
    kIgnored,  // the provider never deletes (Crossref)
  };

  // `births` has a bit for every birth slot whose items are shown, which is how sets are made.
  static constexpr std::uint32_t kAllBirths = (1u << Corpus::kBirths) - 1;
  View(const Corpus& corpus, Instant now, Order order, Deletions deletions,
       std::uint32_t births = kAllBirths);

  // Ranks count the current versions in order; [first, last) is the window's range of ranks.
  struct Ranks {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last - first; }
  };
  Ranks Between(Instant from, Instant to) const;  // [from, to)

  // Appends the entries of the given ranks, in order. REQUIRES: ranks within [0, total())
  void Collect(Ranks ranks, std::vector<Entry>& entries) const;

  std::int64_t total() const { return RankOf(last_position_); }

  // The item's current version, where it is visible and (for hidden deletions) not deleted.
  std::optional<Entry> Find(std::int64_t item) const;

  Instant now() const { return now_; }
  const Corpus& corpus() const { return corpus_; }

 private:
  struct GroupRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };

  std::int64_t RankOf(std::int64_t position) const;  // current versions before that position
  std::int64_t PositionOf(std::int64_t rank) const;  // of the group that holds the rank
  GroupRange CurrentGroups(int slot) const;          // in which this slot's event is current
  std::int64_t DeletedGroups(int birth_slot) const;  // births of this slot that are deleted
  Entry Current(std::int64_t birth_group, int birth_slot) const;

  const Corpus& corpus_;
  Instant now_;
  Order order_;
  Deletions deletions_;
  std::uint32_t births_;
  std::array<GroupRange, Corpus::kSlots> current_;
  std::array<std::int64_t, Corpus::kSlots> visible_;
  std::int64_t last_position_ = 0;
};

}  // namespace patra::sim
