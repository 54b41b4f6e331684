// From page to page: what comes after this one, and is that really the end?
//
// Providers lie, at times without knowing it: a page is empty before the announced end, a token comes back
// unchanged, the list shrinks under the reader's feet. None of these passes for "done" (I10). What the walk
// cannot tell by itself, the account at its end does: announced and received have to agree (I14).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"

namespace patra::domain {

// What a page shows of the walk.
struct PageFacts {
  std::int64_t size = 0;   // records and ids, bad ones included
  std::int64_t fresh = 0;  // of these, not seen before in this walk
  std::optional<std::string> next{};
  std::optional<bool> has_more{};
  std::optional<std::int64_t> announced{};
  bool is_end = false;              // a rule of the source says so
  std::optional<Instant> newest{};  // TIME: the latest `updated` on it
  std::string fingerprint{};        // of its ids in their order; empty where the page is
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
  Position to{};         // kNext, kAgain
  std::string reason{};  // kReslice, kLost, and kEnd where a doubt remains
};

class Walk {
 public:
  // `seen` is what an earlier run of the same slice has brought. The spec has to outlive the walk.
  Walk(const SpecSnapshot& spec, const SliceSpec& slice, std::int64_t seen = 0);

  Position Start() const;

  // What to do after the page at `at`.
  Step After(const Position& at, const PageFacts& page);

  std::optional<std::int64_t> announced() const { return announced_; }
  std::int64_t seen() const { return seen_; }  // different records
  bool total_moved() const { return total_moved_; }

 private:
  bool Ends(WalkEnd end) const;
  std::int64_t ShareOf(std::int64_t total) const;
  bool Contradicted() const;  // an exact total says that records are missing
  bool IsShort(const PageFacts& page) const { return page.size < paging_.size; }

  Step Doubt(const Position& at, std::string reason);
  Step Forward(const Position& at, const PageFacts& page);
  Step ByNumber(const Position& at, const PageFacts& page);
  Step ByToken(const Position& at, const PageFacts& page);
  Step ByTime(const Position& at, const PageFacts& page);
  std::optional<Step> Seam(const Position& at, std::int64_t lost);
  std::optional<std::int64_t> Reach() const;  // how many records paging gets at
  bool IsBeyondReach(const Position& next) const;

  const PagingSpec& paging_;
  const SliceSpec& slice_;
  const bool total_is_exact_;
  std::int64_t seen_;
  std::optional<std::int64_t> announced_;
  bool total_moved_ = false;
  std::int64_t pages_ = 0;
  int empty_in_a_row_ = 0;
  int seams_ = 0;
  std::int64_t read_to_ = 0;  // after the furthest page or offset that was asked for
  std::optional<Position> doubted_;
  std::unordered_set<std::string> tokens_;
  std::unordered_set<std::string> fingerprints_;
};

}  // namespace patra::domain
