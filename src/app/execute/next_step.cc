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

std::optional<Instant> NewestOf(const domain::PageContent& page) {
  std::optional<Instant> newest;
  for (const auto& record : page.records)
    newest = std::max(newest.value_or(record.date()), record.date());
  return newest;
}

namespace {

std::optional<Instant> OldestOf(const domain::PageContent& page) {
  std::optional<Instant> oldest;
  for (const auto& record : page.records)
    oldest = std::min(oldest.value_or(record.date()), record.date());
  return oldest;
}

}  // namespace

domain::PageFacts FactsOf(const domain::PageContent& page) {
  const bool is_isolated = page.is_isolated();
  return {.ids = HashesOf(IdsOf(page)),
          .next = page.next,
          .has_more = page.has_more,
          .announced = page.announced,
          .is_end = page.rule && !is_isolated,
          .newest = NewestOf(page),
          .oldest = OldestOf(page),
          .is_ascending = std::ranges::is_sorted(page.records, {}, &domain::Record::date),
          .is_isolated = is_isolated,
          .is_put_together =
              !is_isolated && std::ranges::any_of(page.bad_records, &domain::BadRecord::is_page)};
}

std::string NextAfter(domain::Walk& walk, const domain::Position& at,
                      const domain::PageContent& page) {
  return Describe(walk.After(at, FactsOf(page)));
}

}  // namespace patra::app
