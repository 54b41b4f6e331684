#include "domain/walk/walk.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::domain {
namespace {

// Providers that filter after paging send empty pages in the middle, but not without end.
constexpr int kEmptyPagesMax = 3;
// A list that shrinks more often than this during one walk is not worth following.
constexpr int kSeamsMax = 20;

}  // namespace

std::string Describe(const Position& position) {
  if (position.is_detail) return fmt::format("details from id {}", position.token.value_or("?"));
  if (position.page) return fmt::format("page {}", *position.page);
  if (position.time) return fmt::format("time {}", FormatRfc3339(*position.time));
  return position.token ? "a token" : "the first page";
}

Walk::Walk(const SpecSnapshot& spec, const SliceSpec& slice, std::int64_t seen)
    : paging_(spec.paging),
      slice_(slice),
      total_is_exact_(spec.response.total_kind == TotalKind::kExact),
      seen_(seen) {}

Position Walk::Start() const {
  switch (paging_.style) {
    case PagingStyle::kPage:
      return {.page = slice_.pages ? slice_.pages->from : paging_.first_page};
    case PagingStyle::kOffset:
      return {.page = slice_.pages ? slice_.pages->from : 0};
    case PagingStyle::kTime:
      return {.time = slice_.window.from()};
    case PagingStyle::kToken:
    case PagingStyle::kUrl:
      break;
  }
  return {};
}

bool Walk::Ends(WalkEnd end) const {
  return std::ranges::find(paging_.ends, end) != paging_.ends.end();
}

// A range of pages has a part of what the total counts.
std::int64_t Walk::ShareOf(std::int64_t total) const {
  if (!slice_.pages) return total;
  const bool is_offset = paging_.style == PagingStyle::kOffset;
  const auto records_before = [&](std::int64_t place) {
    return is_offset ? place : (place - paging_.first_page) * paging_.size;
  };
  const auto rest = std::max<std::int64_t>(total - records_before(slice_.pages->from), 0);
  if (slice_.pages->to == kNoLastPage) return rest;
  return std::min(rest, records_before(slice_.pages->to) - records_before(slice_.pages->from));
}

bool Walk::Contradicted() const { return total_is_exact_ && announced_ && seen_ < *announced_; }

// Asks the same once more before believing it. What cannot be sent twice is believed; the account will
// show what is missing.
Step Walk::Doubt(const Position& at, std::string reason) {
  const bool may_ask_again = paging_.replayable && at.token_is_position && doubted_ != at;
  if (may_ask_again) {
    doubted_ = at;
    return {.kind = Step::Kind::kAgain, .to = at, .reason = std::move(reason)};
  }
  return {.kind = Step::Kind::kEnd, .reason = std::move(reason)};
}

Step Walk::After(const Position& at, const PageFacts& page) {
  const auto seen_before = seen_;
  const auto announced_before = announced_;
  ++pages_;
  // By time, each page announces what is left from its own start on: only the first speaks of all.
  if (page.announced && (paging_.style != PagingStyle::kTime || !announced_)) {
    const auto share = ShareOf(*page.announced);
    total_moved_ = total_moved_ || (announced_ && *announced_ != share);
    announced_ = share;
  }
  seen_ += page.fresh;
  if (at.page) {
    const bool is_offset = paging_.style == PagingStyle::kOffset;
    read_to_ = std::max(read_to_, *at.page + (is_offset ? page.size : 1));
  }
  empty_in_a_row_ = page.size == 0 ? empty_in_a_row_ + 1 : 0;

  if (page.is_end) return {};
  if (pages_ == 1) {
    const auto reach = Reach();
    if (reach && page.announced && *page.announced > *reach && !slice_.pages) {
      return {.kind = Step::Kind::kReslice,
              .reason = fmt::format("{} records are announced and paging reaches {}",
                                    *page.announced, *reach)};
    }
  }
  const bool is_repeat = page.size > 0 && page.fresh == 0 && doubted_ != at &&
                         fingerprints_.contains(page.fingerprint);
  if (is_repeat)
    return {.kind = Step::Kind::kLost, .reason = "the provider sent the same page twice"};
  fingerprints_.insert(page.fingerprint);

  if (announced_before && announced_ && *announced_ < *announced_before) {
    if (auto seam = Seam(at, *announced_before - *announced_)) return *std::move(seam);
  }
  auto step = Forward(at, page);
  if (step.kind == Step::Kind::kAgain) seen_ = seen_before;
  if (step.kind == Step::Kind::kNext && IsBeyondReach(step.to)) {
    const bool has_all = total_is_exact_ && announced_ && seen_ >= *announced_;
    if (has_all) return {};
    return {.kind = Step::Kind::kReslice,
            .reason = fmt::format("paging ends after {} records", *Reach())};
  }
  return step;
}

std::optional<std::int64_t> Walk::Reach() const {
  if (!paging_.pages_max) return paging_.reach;
  const auto by_pages = *paging_.pages_max * paging_.size;
  return paging_.reach ? std::min(*paging_.reach, by_pages) : by_pages;
}

bool Walk::IsBeyondReach(const Position& next) const {
  const auto reach = Reach();
  if (!reach) return false;
  if (paging_.style == PagingStyle::kOffset) return *next.page >= *reach;
  if (paging_.style == PagingStyle::kPage)
    return (*next.page - paging_.first_page) * paging_.size >= *reach;
  return paging_.style != PagingStyle::kTime && pages_ * paging_.size >= *reach;
}

// A list that lost records moved the others towards the front, over the seam between two pages: what
// stood there is read again.
std::optional<Step> Walk::Seam(const Position& at, std::int64_t lost) {
  const auto first = Start().page;
  if (!at.page || !first || *at.page <= *first) return std::nullopt;
  if (++seams_ > kSeamsMax)
    return Step{.kind = Step::Kind::kLost, .reason = "the list keeps shrinking while it is read"};
  const bool is_offset = paging_.style == PagingStyle::kOffset;
  const auto back = is_offset ? lost : (lost + paging_.size - 1) / paging_.size;
  fingerprints_.clear();  // what is read again looks the same
  return Step{.kind = Step::Kind::kNext,
              .to = {.page = std::max(*first, *at.page - back), .is_read_again = true},
              .reason = "the list has become shorter"};
}

Step Walk::Forward(const Position& at, const PageFacts& page) {
  switch (paging_.style) {
    case PagingStyle::kPage:
    case PagingStyle::kOffset:
      return ByNumber(at, page);
    case PagingStyle::kToken:
    case PagingStyle::kUrl:
      return ByToken(at, page);
    case PagingStyle::kTime:
      break;
  }
  return ByTime(at, page);
}

Step Walk::ByNumber(const Position& at, const PageFacts& page) {
  const bool is_offset = paging_.style == PagingStyle::kOffset;
  const auto step = !is_offset                          ? 1
                    : paging_.step == OffsetStep::kSize ? paging_.size
                                                        : std::max<std::int64_t>(page.size, 1);
  const auto to = at.page.value_or(0) + step;
  const Step next{.kind = Step::Kind::kNext, .to = {.page = to, .is_read_again = to < read_to_}};
  if (slice_.pages && *next.to.page >= slice_.pages->to) return {};

  if (page.has_more) {
    if (!*page.has_more) {
      return Contradicted() ? Doubt(at, "the provider says that this is the last page, too early")
                            : Step{};
    }
    if (empty_in_a_row_ < kEmptyPagesMax) return next;
    return {.kind = Step::Kind::kLost, .reason = "empty pages that all promise more"};
  }
  if (page.size == 0) {
    return Contradicted() ? Doubt(at, "an empty page before the announced end") : Step{};
  }
  if (Ends(WalkEnd::kTotalReached) && announced_ && seen_ >= *announced_) return {};
  // A short page is the end unless the total contradicts. A full one may be the last, too: then one more
  // request brings an empty page, which costs less than a record that was never asked for.
  const bool short_is_end = Ends(WalkEnd::kShortPage) || paging_.ends.empty();
  if (IsShort(page) && short_is_end && !Contradicted()) return {};
  return next;
}

Step Walk::ByToken(const Position& at, const PageFacts& page) {
  if (page.has_more && !*page.has_more) {
    return Contradicted() ? Doubt(at, "the provider says that this is the last page, too early")
                          : Step{};
  }
  if (!page.next || page.next->empty()) {
    const bool is_doubtful = paging_.tail_probe || Contradicted() ||
                             (page.has_more && *page.has_more) || !Ends(WalkEnd::kNoToken);
    const bool ended_otherwise = (page.size == 0 && Ends(WalkEnd::kEmptyPage)) ||
                                 (IsShort(page) && Ends(WalkEnd::kShortPage));
    if (is_doubtful && !(ended_otherwise && !Contradicted()))
      return Doubt(at, "no token leads on, too early");
    return {};
  }
  if (page.size == 0 && Ends(WalkEnd::kEmptyPage)) {
    return Contradicted() ? Doubt(at, "an empty page before the announced end") : Step{};
  }
  const bool is_same = page.next == at.token;
  if (is_same && Ends(WalkEnd::kSameToken)) return {};
  if (Ends(WalkEnd::kTotalReached) && announced_ && seen_ >= *announced_) return {};
  if (IsShort(page) && Ends(WalkEnd::kShortPage) && !Contradicted()) return {};
  if (empty_in_a_row_ >= kEmptyPagesMax) {
    return {.kind = Step::Kind::kLost, .reason = "empty pages that all lead on"};
  }
  if (paging_.replayable && doubted_ != at && !tokens_.insert(*page.next).second) {
    return {.kind = Step::Kind::kLost, .reason = "the provider's tokens go in a circle"};
  }
  return {.kind = Step::Kind::kNext,
          .to = {.token = page.next, .token_is_position = paging_.replayable}};
}

Step Walk::ByTime(const Position& at, const PageFacts& page) {
  if (page.has_more && !*page.has_more) return {};
  if (page.size == 0 || (IsShort(page) && !page.has_more)) return {};
  if (!page.newest || (at.time && *page.newest <= *at.time)) {
    return {.kind = Step::Kind::kReslice,
            .reason = "more records share one moment than fit on a page"};
  }
  return {.kind = Step::Kind::kNext, .to = {.time = page.newest}};
}

}  // namespace patra::domain
