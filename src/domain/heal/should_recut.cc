#include "domain/heal/should_recut.h"

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {
namespace {

double Real(std::int64_t number) { return static_cast<double>(number); }

}  // namespace

std::optional<std::string> ShouldRecut(const SliceObserved& observed, const RecutPolicy& policy) {
  if (observed.elapsed > policy.slice_time_max) {
    return fmt::format("the slice takes longer than {}", FormatDuration(policy.slice_time_max));
  }
  if (observed.requests >= policy.requests_min &&
      Real(observed.throttled) > policy.throttled_part_over * Real(observed.requests)) {
    return fmt::format("{} of {} requests were told to be slower", observed.throttled,
                       observed.requests);
  }
  if (observed.failures_in_a_row >= policy.failures_in_a_row_max)
    return fmt::format("the last {} pages came only after failures", observed.failures_in_a_row);
  if (observed.page_bytes > policy.bytes_max)
    return fmt::format("a page of {} bytes is too large", observed.page_bytes);
  if (observed.page_size > 0 &&
      Real(observed.page_records) > policy.records_over_asked * Real(observed.page_size)) {
    return fmt::format("a page has {} records where {} were asked for", observed.page_records,
                       observed.page_size);
  }
  if (observed.pages_expected && observed.pages >= policy.requests_min &&
      Real(observed.pages) > policy.pages_over_expected * Real(*observed.pages_expected)) {
    return fmt::format("page {} of a slice that was expected to have {}", observed.pages,
                       *observed.pages_expected);
  }
  if (observed.records_mean && observed.records_deviation > 0 &&
      Real(observed.records) >
          *observed.records_mean + policy.deviations_max * observed.records_deviation) {
    return fmt::format("{} records where slices of this kind have about {:.0f}", observed.records,
                       *observed.records_mean);
  }
  return std::nullopt;
}

}  // namespace patra::domain
