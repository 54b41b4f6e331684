// From page to page: what comes after this one, is that really the end, and does the walk prove that nothing is missing?
//
// Providers lie, at times without knowing it: a page is empty before the announced end, a token comes back
// unchanged, the list moves under the reader's feet. None of these passes for "done" (I10). A record that leaves a list
// pulls the next one over the edge of a page that was read already, and what comes in its place makes the sums agree; so
// a walk is a proof only where nothing speaks for such a move, or where a second one saw the same (I14).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"
#include "domain/walk/walk_memory.h"

namespace patra::domain {

// What a page shows of the walk.
struct PageFacts {
  PageIds ids{};  // of records, bad ones included
  std::optional<std::string> next{};
  std::optional<std::string> no_next{};  // see PageContent
  std::optional<bool> has_more{};
  std::optional<std::int64_t> announced{};
  bool is_end = false;              // a rule of the source says so
  bool is_beyond = false;           // it reaches out of the window, and the list goes on there
  std::optional<Instant> newest{};  // TIME: the latest `updated` on it
  std::optional<Instant> oldest{};
  bool is_ascending = true;  // TIME: sorted by that, oldest first
  bool is_isolated = false;  // in quarantine as a whole: it counts as full, whatever it holds
  Instant read_at{};
  bool is_put_together = false;  // of parts that had to be asked for one by one
  std::int64_t passed_over = 0;  // beside `ids`, records that the definition does not mean
  std::optional<std::string> unmet_member{};  // see PageContent

  std::int64_t size() const { return static_cast<std::int64_t>(ids.size()); }
  // As the provider sees it: what is passed over takes its place on a page all the same.
  std::int64_t shown() const { return size() + passed_over; }
};

struct Step {
  enum class Kind {
    kNext,
    kAgain,    // the same position once more: its answer is doubted
    kEnd,      // nothing is left
    kReslice,  // paging cannot reach the rest: smaller slices can
    kLost,     // the way leads nowhere: start over
  };
  Kind kind = Kind::kEnd;
  Position to{};           // kNext, kAgain
  std::string reason{};    // kReslice, kLost, and kEnd where a doubt remains
  std::int64_t fresh = 0;  // records on the page that did not come before
  // kNext, kReslice: only if one of these pages shows something. If all are empty, or refused, this was the end.
  std::vector<Position> glances{};
  std::optional<std::int64_t>
      cut_off_at{};  // kReslice: as many records as the provider lets a page have
};

// What a walk that came to its end is worth.
struct WalkVerdict {
  enum class Kind {
    kProven,
    kWalkAgain,  // the list moved, or may have: only another walk can tell
    kGap,        // it stood still, and not everything came
  };
  Kind kind = Kind::kProven;
  std::string reason{};
  bool is_total = false;   // kGap: the total is what speaks against it
  bool is_final = false;   // kGap: reading it once more tells nothing new
  Duration again_after{};  // kWalkAgain
};

class Walk {
 public:
  // `memory` and `pages` are of an earlier run of the same walk. The spec and the slice have to outlive the walk.
  Walk(const SpecSnapshot& spec, const SliceSpec& slice, WalkMemory memory = {},
       const std::vector<PageIds>& pages = {});

  Position Start() const;

  // What to do after the page at `at`, which counts as read unless it is asked for again.
  Step After(const Position& at, const PageFacts& page);
  // The glances beyond the last page showed nothing.
  void End() { memory_.account.is_ended = true; }
  // At the end of a list that nobody counts, and nobody says it is the end: where to look for what did not fit on its only page.
  std::optional<Position> PageToProbe() const;
  // There was something.
  void FindCutOff() { memory_.account.is_cut_off = true; }
  // As if the last page had not come.
  // REQUIRES: After was called since the last TakeBack
  void TakeBack();

  // Whether the page that was read last looks as it did. REQUIRES: memory().edge
  bool StandsStill(const PageFacts& edge) const;
  // Whether so much time has gone by since then that as many records may have come before it as left.
  bool WasLeftLong(Instant now) const;
  // The list may have moved since the page that was read last, and nobody can tell.
  void LeaveUnchecked() { memory_.account.is_unchecked = true; }
  // Nothing that was seen so far speaks against it.
  bool is_sound() const;

  // Why the total may stand for more than it says; smaller slices would tell.
  std::optional<std::string> WhyCapped() const;
  // Why smaller slices would tell more about where the list ends, which is no reason to doubt what cannot be cut.
  std::optional<std::string> WhyCutToSee() const;
  // The total, where it may be as far as the provider counts, for all that the definition says; where nobody announces any, what
  // came on the only page.
  std::optional<std::int64_t> TotalThatMayBeCap() const;
  // Whether that is worth the smallest slices that can be asked for. Where pages hold few records, too many lists end with a
  // full one by chance.
  bool IsDoubtGrave() const;

  // What the definition seems to look for in the wrong place, for all that the pages show.
  std::optional<std::string> WhyMisread() const;

  WalkVerdict Judge() const;

  const WalkMemory& memory() const { return memory_; }
  std::optional<std::int64_t> announced() const;  // of this slice

 private:
  bool EndsRound() const;
  std::optional<std::string> WhyEndDoubted() const;
  std::optional<std::string> WhyFullAsItsWhole() const;
  bool Ends(WalkEnd end) const;
  // What the list is held against. An exact total that was ever higher counted records that it then left out, or tells what is
  // left to read; of estimates, the last is the best, unless the first fits what came.
  std::optional<std::int64_t> Total() const;
  std::int64_t ShareOf(std::int64_t total) const;
  std::int64_t Rows()
      const;  // that came; by time, pages overlap where they meet, and each counts once
  std::optional<std::string> WhyShort(std::optional<std::int64_t> total) const;
  std::optional<std::string> WhyRepeated() const;
  std::optional<std::string> WhyNoNext() const;
  bool NeedsSecondWalk() const;
  bool MayBeCapped(std::int64_t total) const;
  bool IsCounted() const { return total_is_exact_ && memory_.account.total; }
  // Whether pages may have been cut off, for all that totals of different records and the definition say.
  bool MayHaveRests() const { return IsCounted() ? !HasAll() : !Ends(WalkEnd::kShortPage); }
  bool Contradicted() const;  // an exact total says that records are missing
  bool HasAll() const;        // an announced total says that none is
  bool IsShort(const PageFacts& page) const {
    return !page.is_isolated && page.shown() < paging_.size;
  }

  std::int64_t Remember(const Position& at, const PageFacts& page);  // how many were new
  Step Choose(const Position& at, const PageFacts& page);
  // Once, and where the place can be named again.
  bool MayAskAgain(const Position& at) const {
    return paging_.replayable && at.token_is_position && doubted_ != at;
  }
  Step Doubt(const Position& at, std::string reason);
  Step Forward(const Position& at, const PageFacts& page);
  Step ByNumber(const Position& at, const PageFacts& page);
  Step ByToken(const Position& at, const PageFacts& page);
  Step ByTime(const Position& at, const PageFacts& page);
  std::optional<std::int64_t> Reach() const;  // how many records paging gets at
  bool IsTooMuch(std::int64_t total) const;
  bool IsBeyondReach(const Position& next) const;

  // To undo the last page.
  struct Undo {
    WalkAccount account;
    std::optional<WalkMemory::Edge> edge;
    PageIds fresh;
    std::optional<std::uint64_t> fingerprint{};  // none: a page like this one came before
    std::optional<std::string> token{};
    int empty_in_a_row = 0;
    int fruitless_in_a_row = 0;
  };

  const SpecSnapshot& spec_;
  const PagingSpec& paging_;
  const SliceSpec& slice_;
  const bool total_is_exact_;
  WalkMemory memory_;
  int empty_in_a_row_ = 0;
  int fruitless_in_a_row_ = 0;  // pages that showed records, and none that is meant
  bool is_end_said_ = false;    // by the last page, in so many words
  bool is_end_full_ =
      false;  // the last page that held any, which leads nowhere though it holds all it can
  // By time: a page lacked the moment that it was asked from, and the one before may have held only a part of it.
  bool leaves_moments_out_ = false;
  std::optional<Position> doubted_;
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_set<std::string> tokens_;
  std::unordered_set<std::uint64_t> fingerprints_;
  Undo undo_{};
};

}  // namespace patra::domain
