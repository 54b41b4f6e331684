#include "app/execute/next_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/execute/page_ids.h"

namespace patra::app {
std::string Describe(const domain::Step& step) {
  using Kind = domain::Step::Kind;
  switch (step.kind) {
    case Kind::kNext:
      return step.to.token ? fmt::format("token {}", *step.to.token) : domain::Describe(step.to);
    case Kind::kAgain:
      return "the same once more: " + step.reason;
    case Kind::kReslice:
      return "smaller slices: " + step.reason;
    case Kind::kLost:
      return "none: " + step.reason;
    case Kind::kEnd:
      break;
  }
  return "none: this is the end";
}

namespace {

// The dates on a page: the earliest and the latest of them.
struct DatesOf {
  explicit DatesOf(const domain::PageContent& page) {
    for (const auto& record : page.records) {
      const auto date = record.date();
      is_ascending = is_ascending && (!last || *last <= date);
      oldest = std::min(oldest.value_or(date), date);
      newest = std::max(newest.value_or(date), date);
      last = date;
    }
  }

  std::optional<Instant> oldest{};
  std::optional<Instant> newest{};
  std::optional<Instant> last{};
  bool is_ascending = true;
};

}  // namespace

domain::PageFacts FactsOf(const domain::PageContent& page) {
  const bool is_isolated = page.is_isolated();
  const DatesOf dates(page);
  return {.ids = HashesOf(IdsOf(page)),
          .next = page.next,
          .no_next = page.no_next,
          .has_more = page.has_more,
          .announced = page.announced,
          .is_end = page.rule && !is_isolated,
          .newest = dates.newest,
          .oldest = dates.oldest,
          .is_ascending = dates.is_ascending,
          .is_isolated = is_isolated,
          .is_put_together =
              !is_isolated && std::ranges::any_of(page.bad_records, &domain::BadRecord::is_page),
          .passed_over = page.passed_over,
          .unmet_member = page.unmet_member};
}

std::string NextAfter(domain::Walk& walk, const domain::Position& at,
                      const domain::PageContent& page) {
  return Describe(walk.After(at, FactsOf(page)));
}

}  // namespace patra::app
