// How wide the first slices of a plan are: as wide as a slice's requests allow, judged by what earlier
// slices of the same query brought. What this gets wrong, the first page corrects by re-slicing. Where nothing is known, and
// the provider tells on its first page, that is all there is to it: see wide_slice.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// As long as anybody has ever changed anything.
inline constexpr Duration kEverything = std::chrono::days(36'500);

// What finished slices tell.
struct SliceHistory {
  std::int64_t slices = 0;
  double records_per_hour = 0;               // of the source's time
  std::optional<double> bytes_per_record{};  // of answers
  std::optional<double> records_per_page{};
};

struct SliceWidth {
  Duration width{};
  std::string why;         // for the plan's remarks
  bool is_budget = false;  // requests bound it, and not what paging allows
};

// Of a plan over so much of the source's time. `requests_max` is what one slice may cost, where somebody says so; a quota
// bounds it likewise.
SliceWidth ChooseWidth(const SpecSnapshot& spec, Duration covered,
                       const std::optional<SliceHistory>& history,
                       std::optional<std::int64_t> requests_max);

// Of one over a stretch of which parts fell short of their whole: it is asked for as a whole again, or nobody would notice that
// they do so once more. Nothing where no first page tells how much there is.
std::optional<SliceWidth> WidthToCompare(const SpecSnapshot& spec);

// How many records a slice should have at most, as far as paging goes.
std::int64_t RecordsPerSlice(const PagingSpec& paging);

// Requests that a slice with so many records takes: pages, then details by id. At least one.
std::int64_t RequestsFor(const SpecSnapshot& spec, std::int64_t records);

// What the rest of a walk in one phase takes, as far as the provider tells how much there is; ids that are listed do not
// tell how many of them are done.
std::optional<std::int64_t> RequestsLeft(const SpecSnapshot& spec,
                                         std::optional<std::int64_t> announced,
                                         std::int64_t received, bool goes_on);

}  // namespace patra::domain
