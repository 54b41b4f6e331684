// What one slice covers and how it is walked. The planner writes it, the executor reads it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/window.h"

namespace patra::domain {

enum class SliceDimension { kTime, kPage, kId };

// The end of a walk that goes on for as long as there are pages.
inline constexpr std::int64_t kNoLastPage = std::numeric_limits<std::int64_t>::max();

// Pages [from, to), counted as the provider counts them.
struct PageBounds {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t size = 0;  // records per page; 0: as the source says
  bool base1 = true;      // whether the provider's first page is number 1

  friend bool operator==(const PageBounds&, const PageBounds&) = default;
};

// Which candidates of an UPDATE belong to a slice: ids [from, to) in the order of their text, or one
// bucket of their hash. The ids themselves are in the id ledger.
struct IdBounds {
  std::string from{};
  std::string to{};  // empty: no upper end
  std::optional<int> hash_bucket{};

  friend bool operator==(const IdBounds&, const IdBounds&) = default;
};

// A further cut of a slice whose time cannot be cut any more: the part of one dimension of `split_by`.
// Templates see it as ${split.NAME.from}, ${split.NAME.to} or ${split.NAME.value}.
struct SplitPart {
  std::string name;
  std::string from{};
  std::string to{};     // excluded
  std::string value{};  // instead of a range

  friend bool operator==(const SplitPart&, const SplitPart&) = default;
};

// Where the walk begins and how it goes on.
struct SlicePagination {
  PagingStyle style = PagingStyle::kPage;
  std::optional<std::int64_t> offset{};
  std::optional<std::int64_t> page{};
  std::optional<std::string> token{};

  friend bool operator==(const SlicePagination&, const SlicePagination&) = default;
};

// Whether ids are listed first and details fetched by id after.
struct SlicePhase {
  bool two_phase = false;
  std::optional<std::int64_t> id_batch_size{};

  friend bool operator==(const SlicePhase&, const SlicePhase&) = default;
};

// What one run of the slice may use.
struct SliceBudget {
  std::optional<std::int64_t> requests_max{};
  std::optional<std::int64_t> records_max{};
  std::optional<Duration> duration_max{};
  Duration pause{};  // before the rest goes on
  std::optional<std::int64_t> priority{};

  friend bool operator==(const SliceBudget&, const SliceBudget&) = default;
};

struct BudgetUse {
  std::int64_t requests = 0;
  std::int64_t records = 0;
  Duration elapsed{};
};

// What of the budget is used up, for people; nothing as long as there is some of everything left.
std::optional<std::string> WhatIsUsedUp(const SliceBudget& budget, const BudgetUse& use);

// What the gate promised when the slice was planned.
struct BudgetHint {
  std::int64_t permits = 0;      // requests that can be had within the horizon
  std::int64_t concurrency = 1;  // workers that are worth having
  Duration horizon{};

  friend bool operator==(const BudgetHint&, const BudgetHint&) = default;
};

struct SliceSpec {
  SliceDimension dimension = SliceDimension::kTime;
  Window window;
  std::optional<PageBounds> pages{};
  std::optional<IdBounds> ids{};
  std::vector<SplitPart> split{};
  SlicePhase phase{};
  SlicePagination pagination{};
  std::optional<Duration> safety_lag{};        // HARVEST: how long the window's end stays behind
  std::optional<std::string> watermark_key{};  // HARVEST: the date that the window counts
  SliceBudget budget{};
  // What the planner expects, for people and for comparison: not part of the slice's identity.
  std::optional<std::int64_t> expected_records{};
  std::optional<std::int64_t> expected_requests{};
  std::optional<BudgetHint> budget_hint{};
  std::string comment{};
  // The slice that this one was cut from had a total beyond what paging reaches: the provider counts further than that.
  bool counts_beyond_reach = false;
  std::optional<std::int64_t> total_of_whole{};  // that it was cut from
  // The slice that it was cut from ended behind a full page that led to no other, where nothing counts the records.
  bool is_of_doubted = false;
  std::optional<std::int64_t> cut_off_at{};  // records that a page had at most there
  // How much of the whole the provider seems to have answered for, where that is less than was asked for.
  std::optional<Duration> answered_for{};

  // As stored: everything.
  Value ToValue() const;
  static Result<SliceSpec> FromValue(const Value& value);

  // What makes it this slice and no other: dimension, bounds, phase and pagination, without budget and
  // expectations.
  Value Identity() const;

  friend bool operator==(const SliceSpec&, const SliceSpec&) = default;
};

}  // namespace patra::domain
