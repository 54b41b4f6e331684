#include "domain/item/elsewhere.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/spec/enumerator.h"

namespace patra::domain {
namespace {

using std::chrono::days;

// Of fewer, nobody can tell how they came.
constexpr std::int64_t kRecordsThatTell = 5;

// A date without a time of day stands for all of its day.
bool IsBefore(Instant date, Instant end) {
  const bool is_day = std::chrono::floor<days>(date) == date;
  return (is_day ? date + days(1) - Duration(1) : date) < end;
}

// Where two windows meet that have no moment in common.
std::optional<Instant> EndBetween(const Window& one, const Window& other) {
  if (one.to() == other.from()) return one.to();
  if (other.to() == one.from()) return one.from();
  return std::nullopt;
}

// A provider that counts in longer steps than it is asked in means a whole one by an end: a day at most, and no more than a window.
Duration AboutTheEnd(const Window& one, const Window& other, Duration step) {
  return std::max(step, std::min({one.width(), other.width(), Duration(days(1))}));
}

bool CameElsewhere(const MetVersion& met, const BatchOrigin& by, const SliceAtWork& slice) {
  const auto& here = slice.window;
  const auto& there = by.window;
  const bool is_apart = there.to() <= here.from() || here.to() <= there.from();
  if (by.plan != slice.plan || !is_apart) return false;
  const auto end = EndBetween(here, there);
  if (!slice.are_dated) return !end;
  const auto date = met.record->version.updated_at;
  if (!IsBefore(date, slice.plan_window.to()) || !IsBefore(met.updated_at, slice.plan_window.to()))
    return false;
  // Two dates before the plan was made are those of two records.
  return date != met.updated_at || !end ||
         std::chrono::abs(date - *end) > AboutTheEnd(here, there, slice.step);
}

}  // namespace

std::int64_t CountElsewhere(std::span<const MetVersion> met, const BatchOrigins& origins,
                            const SliceAtWork& slice) {
  return std::ranges::count_if(met, [&](const MetVersion& version) {
    const auto by = origins.find(version.batch);
    return by != origins.end() && CameElsewhere(version, by->second, slice);
  });
}

std::int64_t ElsewhereByNow(const WalkMemory& memory, const RecordCounts& counts) {
  const auto& earlier = memory.earlier;
  const bool is_alike = earlier && earlier->records == memory.account.records &&
                        earlier->digest == memory.account.digest;
  return std::max(counts.elsewhere, is_alike ? earlier->elsewhere : 0);
}

bool CanTellElsewhere(const SpecSnapshot& spec, const SliceSpec& slice) {
  return slice.dimension == SliceDimension::kTime && slice.split.empty() && IsCutByTime(spec) &&
         !spec.response.repeats && !EnumerationOf(spec).gives_ids;
}

std::optional<std::string> WhyElsewhere(const SpecSnapshot& spec, const SliceSpec& slice,
                                        const WalkMemory& memory, const RecordCounts& counts) {
  if (!CanTellElsewhere(spec, slice)) return std::nullopt;
  const auto taken_in = counts.inserted + counts.updated + counts.unchanged + counts.stale;
  const auto elsewhere = ElsewhereByNow(memory, counts);
  if (elsewhere < kRecordsThatTell || 3 * elsewhere <= 2 * taken_in) return std::nullopt;
  return fmt::format(
      "{} of {} records came with other windows of the same plan, which have no moment in common "
      "with this one: either ids are not unique, and records write over one another (`response: "
      "{{id}}` may name several members), or the provider does not keep to the window; "
      "`‹source.preview›` shows what is asked for and what comes. If the list names a record once "
      "for each of its changes, the definition says `response: {{repeats: true}}`",
      elsewhere, taken_in);
}

}  // namespace patra::domain
