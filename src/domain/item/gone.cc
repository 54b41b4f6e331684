#include "domain/item/gone.h"

#include <fmt/format.h>

#include "domain/word/step.h"

namespace patra::domain {
namespace {

// Fewer say nothing about a list as a whole.
constexpr std::int64_t kFew = 10;

}  // namespace

std::optional<std::string> WhyNotGone(const WholeWalk& walk) {
  if (walk.missing == 0) return std::nullopt;
  if (walk.outside > 0)
    return fmt::format("{} records of the list were left out as not asked for", walk.outside);
  if (walk.met_nameless)
    return "records without an id are in quarantine: one that seems to be missing may be among "
           "them";
  return std::nullopt;
}

bool IsTooMuchAtOnce(const WholeWalk& walk) {
  // A list whose ids were all made anew is as long as before, and lacks everything.
  const bool is_half =
      walk.missing > walk.named || (walk.named_last > 0 && 2 * walk.missing > walk.named_last);
  return is_half && (walk.missing >= kFew || walk.named == 0);
}

bool CanConfirm(const WholeWalk& walk) {
  return walk.newly_missing == 0 ||
         !IsTooMuchAtOnce(
             {.named = walk.named, .named_last = walk.named_last, .missing = walk.newly_missing});
}

std::string WhyNextTells(const WholeWalk& walk, std::int64_t marked, std::string_view at) {
  const auto left = walk.missing - marked;
  const auto rest = walk.named == 0 ? std::string("the list names none any more")
                                    : fmt::format("{} are there", walk.named);
  return fmt::format(
      "{} records are missing at once, and {}: they are marked as deleted when the "
      "next harvest misses them, too, as `{}` does at once",
      left, rest, NextStep("harvest.again", {at}));
}

Record TombstoneOf(const std::string& id, const StoredItem& stored, Instant walk_began,
                   Instant found_at) {
  Record record{.id = id, .version = stored.version, .fields = stored.fields};
  record.version.fetched_at = walk_began;
  record.version.deleted = true;
  record.gone_at = found_at;
  return record;
}

}  // namespace patra::domain
