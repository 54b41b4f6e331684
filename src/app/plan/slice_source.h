// Where the slices of a plan come from: time that is cut, or ids that are gathered. One at a time, from
// where the plan stands.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/port/plan_repository.h"
#include "base/result.h"
#include "domain/plan/slice_spec.h"
#include "domain/plan/slicer.h"

namespace patra::app {

struct NextSlice {
  domain::SliceSpec spec;
  std::vector<std::string> ids{};  // of an UPDATE
  SlicingProgress after;           // with this slice, the plan is cut so far
};

class SliceSource {
 public:
  virtual ~SliceSource() = default;

  virtual Result<std::optional<NextSlice>> Next() = 0;  // nothing after the last
};

// How a plan cuts time, as its slice_params remember it: whoever goes on with it cuts alike.
struct TimeCut {
  Duration width{};
  std::string zone = "UTC";
  bool newest_first = false;
  std::vector<domain::Window> stretches{};  // disjoint, in order

  Value ToValue() const;
  static Result<TimeCut> FromValue(const Value& value);
};

// Beyond so many stretches the last ones are joined, and what lies between them is fetched again.
inline constexpr std::size_t kStretchesMax = 2'000;
std::vector<domain::Window> Bounded(std::vector<domain::Window> stretches);

// Strategies of plans that walk lists, as ing_plan has them.
inline constexpr std::string_view kByTime = "TIME";
inline constexpr std::string_view kByBudget = "VOLUME_BUDGET";  // time, as wide as requests allow
inline constexpr std::string_view kByPage = "PAGE";
inline constexpr std::string_view kSingle = "SINGLE";

// How a plan cuts a list that knows no time, as its slice_params remember it.
Value PageCutValue(const domain::PageCut& cut);

// The rest of a plan that walks a list: cut by time or by place, or all of it as one slice, as its strategy
// says.
Result<std::unique_ptr<SliceSource>> ListSource(const StoredPlan& plan);

}  // namespace patra::app
