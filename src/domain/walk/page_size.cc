#include "domain/walk/page_size.h"

#include <algorithm>
#include <string_view>

#include "domain/spec/enumerator.h"
#include "domain/walk/first_page.h"

namespace patra::domain {
namespace {

constexpr std::string_view kSizeName = "page.size";

bool Mentions(const NamedTexts& texts) {
  return std::ranges::any_of(
      texts, [](const auto& named) { return named.second.find(kSizeName) != std::string::npos; });
}

bool Mentions(const Value& value) {
  if (const auto* text = value.AsString()) return text->find(kSizeName) != std::string::npos;
  if (const auto* array = value.AsArray())
    return std::ranges::any_of(*array, [](const Value& item) { return Mentions(item); });
  if (const auto* object = value.AsObject())
    return std::ranges::any_of(*object, [](const auto& member) { return Mentions(member.second); });
  return false;
}

std::int64_t SmallestFactor(std::int64_t number) {
  for (std::int64_t factor = 2; factor * factor <= number; ++factor) {
    if (number % factor == 0) return factor;
  }
  return number;
}

// Whether pages were shorter than asked for, and places may be counted by that all the same.
bool MayHaveRest(const SpecSnapshot& spec, const SliceSpec& slice, const WalkAccount& walk) {
  const auto& paging = spec.paging;
  const bool is_counted_in_pages =
      paging.style == PagingStyle::kPage ||
      (paging.style == PagingStyle::kOffset && paging.step == OffsetStep::kSize);
  return is_counted_in_pages && walk.page_most > 0 && walk.page_most < paging.size &&
         CanChoosePageSize(spec, slice);
}

}  // namespace

bool CanChoosePageSize(const SpecSnapshot& spec) {
  const auto& http = spec.http;
  return http.path.find(kSizeName) != std::string::npos || Mentions(http.query) ||
         Mentions(http.form_body) || Mentions(http.json_body);
}

bool CanChoosePageSize(const SpecSnapshot& spec, const SliceSpec& slice) {
  return !IsRangeOfPages(spec, slice) && CanChoosePageSize(spec);
}

std::optional<std::int64_t> PageSizeFound(const SpecSnapshot& spec, const SliceSpec& slice,
                                          const WalkAccount& walk) {
  const bool are_alike = walk.filled > 1 && walk.rows > (walk.filled - 1) * walk.page_most;
  const bool is_known_to_be_part =
      walk.is_cut_off || (EnumerationOf(spec).is_counted && walk.rows < walk.total);
  const bool is_only_page = walk.filled == 1 && is_known_to_be_part;
  if (!MayHaveRest(spec, slice, walk) || (!are_alike && !is_only_page)) return std::nullopt;
  return walk.page_most;
}

std::optional<std::int64_t> AskedPageSize(const SpecSnapshot& spec, const Position& position) {
  if (position.is_detail || !CanChoosePageSize(spec)) return std::nullopt;
  return position.size.value_or(spec.paging.size);
}

std::optional<Position> RestOfOnlyPage(const SpecSnapshot& spec, const SliceSpec& slice,
                                       const WalkAccount& walk) {
  if (walk.filled != 1 || !MayHaveRest(spec, slice, walk)) return std::nullopt;
  const auto first = FirstPlace(spec.paging);
  const auto step = spec.paging.style == PagingStyle::kOffset ? walk.page_most : 1;
  return Position{.page = first + step, .size = walk.page_most};
}

std::vector<Position> PartsOfPage(const SpecSnapshot& spec, const Position& at) {
  const auto size = at.size.value_or(spec.paging.size);
  if (!at.page || size < 2 || !CanChoosePageSize(spec)) return {};
  const auto part = [&](std::int64_t page, std::int64_t records) {
    auto position = at;
    position.page = page;
    position.size = records;
    return position;
  };
  if (spec.paging.style == PagingStyle::kOffset)
    return {part(*at.page, size / 2), part(*at.page + size / 2, size - size / 2)};

  const auto factor = SmallestFactor(size);
  const auto first = (*at.page - spec.paging.first_page) * factor + spec.paging.first_page;
  std::vector<Position> parts;
  for (std::int64_t i = 0; i < factor; ++i) parts.push_back(part(first + i, size / factor));
  return parts;
}

std::int64_t PageSizeOf(const SpecSnapshot& spec, const SliceSpec& slice, const WalkBegun& walk) {
  const auto own = spec.paging.size;
  if (walk.resumed_at && walk.resumed_at->size) return *walk.resumed_at->size;
  const bool is_counted = spec.paging.style == PagingStyle::kPage;
  const bool is_ours = CanChoosePageSize(spec, slice);
  if (!is_ours || (walk.resumed_at && is_counted)) return own;
  const auto found = walk.earlier ? PageSizeFound(spec, slice, *walk.earlier) : std::nullopt;
  return std::clamp<std::int64_t>(std::min(found.value_or(own), walk.size_max.value_or(own)), 1,
                                  own);
}

std::optional<Position> AnyRecordOf(const SpecSnapshot& spec, const Position& page,
                                    Random& random) {
  std::optional<Position> record;
  for (auto parts = PartsOfPage(spec, page); !parts.empty(); parts = PartsOfPage(spec, *record))
    record = parts[random.Below(parts.size())];
  return record;
}

}  // namespace patra::domain
