#include "domain/walk/walk.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/item/balance.h"
#include "domain/plan/cut_rest.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/first_page.h"
#include "domain/walk/page_size.h"
#include "domain/walk/same_totals.h"

namespace patra::domain {
namespace {

// Providers that filter after paging send empty pages in the middle, but not so many in a row.
constexpr int kEmptyPagesMax = 3;
// Whoever filters behind his index has many, each with a token that leads on.
constexpr int kEmptyPagesWithTokenMax = 200;
// What a filter of `items` means may be rare; a provider that leads on for ever, with pages of which nothing tells them apart, has to
// be left all the same.
constexpr int kFruitlessPagesMax = 10'000;
// Beyond this no record is remembered: memory stays flat, and the account at the end of the walk shows what was counted
// twice.
constexpr std::size_t kIdsMax = 500'000;
// An address with a longer one would be refused, and every batch stores it.
constexpr std::size_t kTokenBytesMax = std::size_t{32} << 10;
// In a longer pause the page before it and the total may look the same although records came and left.
constexpr auto kPauseMax = std::chrono::minutes(30);
// Where providers stop counting, they do so at a round number, hardly ever at a smaller one.
constexpr std::int64_t kCapMin = 1'000;
// Where pages hold fewer, too many lists end with a full one by chance.
constexpr std::int64_t kFullPageTells = 10;
constexpr std::int64_t kRoundMin = 500;

std::int64_t WithoutNoughts(std::int64_t number) {
  while (number > 0 && number % 10 == 0) number /= 10;
  return number;
}

bool IsPowerOfTen(std::int64_t number) { return WithoutNoughts(number) == 1; }

// 500, 2,000, 5,000; 999, 9,999; 1,023, 1,024, 65,535: more common among limits than among totals.
bool IsRound(std::int64_t number) {
  if (number < kRoundMin) return false;
  const auto head = WithoutNoughts(number);
  const bool is_power_of_two = (number & (number - 1)) == 0 || (number & (number + 1)) == 0;
  return head == 2 || head == 5 || IsPowerOfTen(number + 1) || is_power_of_two;
}

}  // namespace

Walk::Walk(const SpecSnapshot& spec, const SliceSpec& slice, WalkMemory memory,
           const std::vector<PageIds>& pages)
    : spec_(spec),
      paging_(spec.paging),
      slice_(slice),
      total_is_exact_(EnumerationOf(spec).is_counted),
      memory_(std::move(memory)) {
  for (const auto& ids : pages) {
    for (const auto id : ids) {
      if (seen_.size() < kIdsMax) seen_.insert(id);
    }
    if (!ids.empty()) fingerprints_.insert(FingerprintOf(ids));
  }
}

Position Walk::Start() const {
  switch (paging_.style) {
    case PagingStyle::kPage:
    case PagingStyle::kOffset:
      return {.page = slice_.pages ? slice_.pages->from : FirstPlace(paging_)};
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

std::optional<std::int64_t> Walk::Total() const {
  const auto& account = memory_.account;
  const auto most_of = [](const WalkAccount& walk) {
    return std::max(walk.total, walk.total_most);
  };
  // One that miscounts now and then does not do so on every walk.
  const bool is_alike = memory_.earlier && account.SawTheSameAs(*memory_.earlier);
  if (total_is_exact_ && is_alike) return std::min(most_of(account), most_of(*memory_.earlier));
  if (total_is_exact_) return most_of(account);
  const bool does_first_fit = WhyShort(account.total) && !WhyShort(account.total_first);
  return does_first_fit ? account.total_first : account.total;
}

std::optional<std::int64_t> Walk::announced() const {
  const auto total = Total();
  return total ? std::optional(ShareOf(*total)) : std::nullopt;
}

// A list that names records twice may count them twice: then it is over when so many came, and whether something else is
// missing is judged at the end.
bool Walk::Contradicted() const { return IsCounted() && Rows() < ShareOf(*memory_.account.total); }

std::int64_t Walk::Rows() const {
  const auto& account = memory_.account;
  return paging_.style == PagingStyle::kTime ? account.records : account.rows;
}

bool Walk::HasAll() const {
  const auto total = announced();
  return total && memory_.account.records >= *total;
}

// Asks the same once more before believing it. What cannot be sent twice is believed; the account will
// show what is missing.
Step Walk::Doubt(const Position& at, std::string reason) {
  if (MayAskAgain(at)) {
    doubted_ = at;
    return {.kind = Step::Kind::kAgain, .to = at, .reason = std::move(reason)};
  }
  return {.kind = Step::Kind::kEnd, .reason = std::move(reason)};
}

Step Walk::After(const Position& at, const PageFacts& page) {
  const auto fresh = Remember(at, page);
  // By time, pages overlap where they meet, and each begins later than the one before.
  const bool is_repeat =
      page.size() > 0 && fresh == 0 && !undo_.fingerprint && paging_.style != PagingStyle::kTime;
  auto step = is_repeat && !page.is_end ? Step{.kind = Step::Kind::kLost,
                                               .reason = "the provider sent the same page twice"}
                                        : Choose(at, page);
  step.fresh = fresh;
  memory_.account.is_ended = step.kind == Step::Kind::kEnd;
  is_end_said_ = page.is_end || (page.has_more && !*page.has_more);
  const bool goes_by_token =
      paging_.style == PagingStyle::kToken || paging_.style == PagingStyle::kUrl;
  // As large as was asked for, or as any. Where nobody asks, a page holds what the provider likes.
  const auto& account = memory_.account;
  const auto is_full = [&](std::int64_t size) {
    const auto asked = AskedPageSize(spec_, at);
    return (asked && size >= *asked) || (account.filled > 1 && size >= account.page_most);
  };
  const bool leads_nowhere = goes_by_token && !is_end_said_ && page.shown() > 0 &&
                             (page.is_isolated || is_full(page.shown()));
  // By chance the end of a list falls on that of a page once in as many lists as a page holds records. A token that died, or
  // a provider that lets nobody beyond its first thousand, looks just like that.
  const bool is_denied = page.has_more && !*page.has_more;
  const bool ends_behind_full_page = page.shown() == 0 && !is_denied &&
                                     account.last_filled >= kFullPageTells &&
                                     is_full(account.last_filled) && !IsRangeOfPages(spec_, slice_);
  is_end_full_ = leads_nowhere || ends_behind_full_page;
  if (step.kind == Step::Kind::kAgain) TakeBack();
  return step;
}

std::int64_t Walk::Remember(const Position& at, const PageFacts& page) {
  auto& account = memory_.account;
  undo_ = {.account = account,
           .edge = memory_.edge,
           .fresh = {},
           .empty_in_a_row = empty_in_a_row_,
           .fruitless_in_a_row = fruitless_in_a_row_};
  ++account.pages;
  account.rows += page.size();
  account.filled += page.shown() > 0 ? 1 : 0;
  account.page_most = std::max(account.page_most, page.shown());
  if (page.shown() > 0) account.last_filled = page.shown();
  // By time, each page announces what is left from its own start on: only the first speaks of all.
  if (page.announced && (paging_.style != PagingStyle::kTime || !account.total))
    account.Announce(*page.announced);
  if (page.is_beyond) account.ForgetTotal();
  std::unordered_set<std::uint64_t> unremembered;
  account.returned += std::ranges::count_if(page.ids, [&](auto id) { return seen_.contains(id); });
  for (const auto id : page.ids) {
    const bool is_full = seen_.size() >= kIdsMax;
    const bool is_new =
        is_full ? !seen_.contains(id) && unremembered.insert(id).second : seen_.insert(id).second;
    if (!is_new) continue;
    if (!is_full) undo_.fresh.push_back(id);
    ++account.records;
    account.digest += id;
  }
  const bool is_end_said = page.is_end || (page.has_more && !*page.has_more);
  if (account.pages == 1 && !is_end_said) account.no_next = page.no_next;
  // Pages that hold nothing say nothing about their records.
  if (undo_.account.filled == 0) account.unmet_member = page.unmet_member;
  if (page.shown() > 0 && !page.unmet_member) account.unmet_member.reset();
  const auto fingerprint = FingerprintOf(page.ids);
  if (page.size() > 0 && fingerprints_.insert(fingerprint).second) undo_.fingerprint = fingerprint;
  if (!page.is_put_together) {
    memory_.edge = WalkMemory::Edge{.at = at, .fingerprint = fingerprint, .read_at = page.read_at};
  }
  empty_in_a_row_ = page.shown() == 0 ? empty_in_a_row_ + 1 : 0;
  fruitless_in_a_row_ = page.size() == 0 && page.shown() > 0 ? fruitless_in_a_row_ + 1 : 0;
  return account.records - undo_.account.records;
}

void Walk::TakeBack() {
  memory_.account = undo_.account;
  memory_.edge = undo_.edge;
  for (const auto id : undo_.fresh) seen_.erase(id);
  if (undo_.fingerprint) fingerprints_.erase(*undo_.fingerprint);
  if (undo_.token) tokens_.erase(*undo_.token);
  empty_in_a_row_ = undo_.empty_in_a_row;
  fruitless_in_a_row_ = undo_.fruitless_in_a_row;
}

Step Walk::Choose(const Position& at, const PageFacts& page) {
  if (page.is_end) return {};
  if (fruitless_in_a_row_ >= kFruitlessPagesMax) {
    return {.kind = Step::Kind::kLost,
            .reason = fmt::format("{} pages in a row have nothing that the filter of `items` takes",
                                  fruitless_in_a_row_)};
  }
  if (page.announced && IsTooMuch(*page.announced)) {
    return {.kind = Step::Kind::kReslice,
            .reason = fmt::format("{} records are announced and paging reaches {}", *page.announced,
                                  *Reach())};
  }
  auto step = Forward(at, page);
  if (step.kind == Step::Kind::kNext && IsBeyondReach(step.to)) {
    if (total_is_exact_ && HasAll()) return {};
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

// A total that equals what can be reached may stand for anything beyond, unless the provider is known to count further. A
// range of pages that ends somewhere leaves the rest to others.
bool Walk::IsTooMuch(std::int64_t total) const {
  if (slice_.pages && slice_.pages->to != kNoLastPage) return false;
  const auto reach = Reach();
  if (!reach) return false;
  const bool may_stand_for_more =
      paging_.reach && *paging_.reach == total && !slice_.counts_beyond_reach;
  return total > *reach || may_stand_for_more;
}

bool Walk::IsBeyondReach(const Position& next) const {
  const auto reach = Reach();
  if (!reach) return false;
  if (paging_.style == PagingStyle::kOffset) return *next.page >= *reach;
  if (paging_.style == PagingStyle::kPage)
    return (*next.page - paging_.first_page) * paging_.size >= *reach;
  return paging_.style != PagingStyle::kTime && memory_.account.pages * paging_.size >= *reach;
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
  // Where more came than places were asked for, a place holds several records, or some have none.
  const auto received = page.shown() == 0 ? paging_.size : std::min(page.shown(), paging_.size);
  const auto step = !is_offset ? 1 : paging_.step == OffsetStep::kSize ? paging_.size : received;
  const Step next{.kind = Step::Kind::kNext, .to = {.page = at.page.value_or(0) + step}};
  if (slice_.pages && *next.to.page >= slice_.pages->to) return {};

  if (page.has_more) {
    if (!*page.has_more) {
      return Contradicted() ? Doubt(at, "the provider says that this is the last page, too early")
                            : Step{};
    }
    if (empty_in_a_row_ < kEmptyPagesMax) return next;
    return {.kind = Step::Kind::kLost, .reason = "empty pages that all promise more"};
  }
  // A short page is the end unless the total contradicts. A full one may be the last, too: then one more
  // request brings an empty page, which costs less than a record that was never asked for.
  const bool short_is_end = Ends(WalkEnd::kShortPage) || paging_.ends.empty();
  if (page.shown() == 0) {
    if (Contradicted()) {
      const auto doubt = Doubt(at, "an empty page before the announced end");
      if (doubt.kind == Step::Kind::kAgain) return doubt;
    } else if (IsCounted()) {
      return {};
    }
    // More pages are asked for: who filters after paging has empty ones in the middle. Where the last page is a short one, an
    // empty one behind a full one may be a slip of the provider's, which the page behind it gives away; a list that is empty
    // from its first page on is read once more as a whole.
    const int empty_max = Contradicted() || !short_is_end ? kEmptyPagesMax
                          : memory_.account.pages == 1    ? 1
                                                          : 2;
    auto onward = next;
    auto beyond = next.to;
    for (int empty = empty_in_a_row_; empty < empty_max; ++empty) {
      const bool is_others = slice_.pages && *beyond.page >= slice_.pages->to;
      if (is_others || IsBeyondReach(beyond)) break;
      onward.glances.push_back(beyond);
      *beyond.page += step;
    }
    return onward.glances.empty() ? Step{} : onward;
  }
  if (Ends(WalkEnd::kTotalReached) && HasAll()) return {};
  if (IsShort(page) && short_is_end && !Contradicted()) return {};
  return next;
}

Step Walk::ByToken(const Position& at, const PageFacts& page) {
  if (page.has_more && !*page.has_more) {
    return Contradicted() ? Doubt(at, "the provider says that this is the last page, too early")
                          : Step{};
  }
  if (!page.next || page.next->empty()) {
    // An empty page that nobody announces may be a bad moment of the provider: it has to repeat.
    const bool may_be_a_slip = page.shown() == 0 && !total_is_exact_ && at.token.has_value();
    if (may_be_a_slip && MayAskAgain(at))
      return Doubt(at, "an empty page where nothing says that the list ends");
    const bool is_doubtful = paging_.tail_probe || Contradicted() ||
                             (page.has_more && *page.has_more) || !Ends(WalkEnd::kNoToken);
    const bool ended_otherwise = (page.shown() == 0 && Ends(WalkEnd::kEmptyPage)) ||
                                 (IsShort(page) && Ends(WalkEnd::kShortPage));
    if (is_doubtful && !(ended_otherwise && !Contradicted()))
      return Doubt(at, "no token leads on, too early");
    return {};
  }
  if (page.shown() == 0 && Ends(WalkEnd::kEmptyPage)) {
    return Contradicted() ? Doubt(at, "an empty page before the announced end") : Step{};
  }
  const bool is_same = page.next == at.token;
  if (is_same && Ends(WalkEnd::kSameToken)) return {};
  if (Ends(WalkEnd::kTotalReached) && HasAll()) return {};
  if (IsShort(page) && Ends(WalkEnd::kShortPage) && !Contradicted()) return {};
  if (empty_in_a_row_ >= kEmptyPagesWithTokenMax) {
    return {.kind = Step::Kind::kLost,
            .reason = fmt::format("{} empty pages in a row that all lead on", empty_in_a_row_)};
  }
  if (page.next->size() > kTokenBytesMax) {
    return {
        .kind = Step::Kind::kLost,
        .reason = fmt::format("the provider's token has {} bytes, and more than {} are no token",
                              page.next->size(), kTokenBytesMax)};
  }
  if (paging_.replayable) {
    // Where the walk went on after a pause, only the walk itself knows what it began with.
    if (at.token) tokens_.insert(*at.token);
    if (!tokens_.insert(*page.next).second) {
      return {.kind = Step::Kind::kLost,
              .reason = is_same ? "the provider's tokens go in a circle: it sends the one that it "
                                  "was asked with; if that is how its lists end, the definition "
                                  "says `paging: {ends: [same_token]}`"
                                : "the provider's tokens go in a circle"};
    }
    undo_.token = page.next;
  }
  return {.kind = Step::Kind::kNext,
          .to = {.token = page.next, .token_is_position = paging_.replayable}};
}

// A provider may hold fewer records on a page than it was asked for. So a short page is the end only where an exact total
// says so; else the next one has to bring nothing new.
Step Walk::ByTime(const Position& at, const PageFacts& page) {
  // An empty page lacks that record, too: the page before may have held some of its moment, and no other page will.
  const auto fresh = memory_.account.records - undo_.account.records;
  const bool lacks_begin = at.time && undo_.account.records > 0 && fresh == page.size() &&
                           !page.is_isolated && seen_.size() < kIdsMax;
  if (lacks_begin && !(IsCounted() && !Contradicted())) {
    leaves_moments_out_ = true;
    return {.kind = Step::Kind::kReslice,
            .reason =
                "a page does not begin with the record whose time it was asked from: others "
                "of that moment may be left out"};
  }
  if (page.size() == 0 || (page.has_more && !*page.has_more)) return {};
  const bool is_short = IsShort(page) && !page.has_more;
  if (is_short && IsCounted() && !Contradicted()) return {};
  // What lies before its newest record need not have come: not if it is full, nor if others followed it.
  const bool is_followed =
      undo_.account.is_unsorted && memory_.account.records > undo_.account.records;
  if (is_followed || (!is_short && !page.is_ascending)) {
    return {.kind = Step::Kind::kReslice,
            .reason = "a page that is not sorted by time, oldest first, leads to no next one"};
  }
  memory_.account.is_unsorted = memory_.account.is_unsorted || !page.is_ascending;
  if (page.newest && (!at.time || *page.newest > *at.time))
    return {.kind = Step::Kind::kNext, .to = {.time = page.newest}};
  // Everything on it is of the moment that was asked for. It may be as large as the provider lets any page be: so large as
  // those that others followed.
  const auto& account = memory_.account;
  const bool has_room = is_short && page.size() < account.page_most;
  if (has_room || (is_short && !page.newest)) return {};
  const bool is_cut_off =
      account.records > account.page_most || page.size() == slice_.cut_off_at || !is_short;
  Step cut{.kind = Step::Kind::kReslice,
           .reason = "more records share one moment than fit on a page",
           .cut_off_at = page.size()};
  if (is_cut_off) return cut;
  // The end, unless others come after that moment, for which there was room.
  const auto policy = CutPolicy::Of(spec_);
  if (!policy) return {};
  const auto later = policy->grid.After(*page.newest);
  if (later >= slice_.window.to()) return {};
  cut.glances = {Position{.time = later}};
  return cut;
}

// Where it is not said how far paging reaches, a total that is a round number may be all that the provider counts to.
bool Walk::MayBeCapped(std::int64_t total) const {
  return total_is_exact_ && !Reach() && !IsRangeOfPages(spec_, slice_) &&
         memory_.account.records <= total;
}

// The smaller round numbers are also the totals of many lists. They speak against one only where the whole that it is a
// part of had the same.
std::optional<std::string> Walk::WhyCapped() const {
  const auto& total = memory_.account.total;
  if (!total || !MayBeCapped(*total)) return std::nullopt;
  const bool is_as_before = slice_.total_of_whole == total && IsRound(*total);
  if (!is_as_before && (*total < kCapMin || !IsPowerOfTen(*total))) return std::nullopt;
  return fmt::format(
      "exactly {} records are announced, where many providers stop counting; if this one goes on, "
      "the definition may say how far, as in `paging: {{reach: {}}}`",
      *total, 10 * *total);
}

std::optional<std::string> Walk::WhyCutToSee() const {
  if (auto why = WhyCapped()) return why;
  const auto& total = memory_.account.total;
  if (total && MayBeCapped(*total) && IsRound(*total))
    return fmt::format("exactly {} records are announced, where some providers stop counting",
                       *total);
  // All of them may lie in this part by chance. A provider that counts no further says the same of every part.
  if (total && MayBeCapped(*total) && slice_.total_of_whole == total &&
      *total >= std::min(paging_.size, kSameTotalTells))
    return fmt::format("{} records are announced, as many as of the whole that it is a part of",
                       *total);
  return WhyEndDoubted();
}

std::optional<std::int64_t> Walk::TotalThatMayBeCap() const {
  const auto& account = memory_.account;
  if (slice_.dimension != SliceDimension::kTime || !slice_.split.empty()) return std::nullopt;
  if (account.total) return MayBeCapped(*account.total) ? account.total : std::nullopt;
  const bool is_counted_here = spec_.response.total_kind == TotalKind::kNone && account.is_ended &&
                               account.filled == 1 && !Reach() && !IsRangeOfPages(spec_, slice_);
  return is_counted_here ? std::optional(account.records) : std::nullopt;
}

bool Walk::IsDoubtGrave() const {
  const auto& account = memory_.account;
  return account.total || EndsRound() || account.last_filled >= kFullPageTells;
}

bool Walk::EndsRound() const {
  const auto records = memory_.account.records;
  const bool may_be_capped = IsRound(records) || (records >= kCapMin && IsPowerOfTen(records));
  return may_be_capped && !IsRangeOfPages(spec_, slice_);
}

// Where nothing counts the records: the token may have been forgotten, or stand somewhere else than the definition says.
std::optional<std::string> Walk::WhyEndDoubted() const {
  if (!memory_.account.is_ended || memory_.account.total) return std::nullopt;
  if (EndsRound()) {
    return fmt::format("exactly {} records came, where some providers let nobody go on",
                       memory_.account.records);
  }
  if (!is_end_full_) return std::nullopt;
  return fmt::format("a page of {} records, as many as any has, leads to no other",
                     memory_.account.last_filled);
}

// Once is chance. A part that ends like the whole that it was cut from, and cannot be cut any more, is where the provider ends.
std::optional<std::string> Walk::WhyFullAsItsWhole() const {
  if (!slice_.is_of_doubted || !IsDoubtGrave()) return std::nullopt;
  auto why = WhyEndDoubted();
  if (why)
    *why +=
        "; so did the whole that it is a part of, and nothing smaller can be asked for: the "
        "provider "
        "gives no more than that of one moment";
  return why;
}

// Another total says that something left or came.
bool Walk::StandsStill(const PageFacts& edge) const {
  const auto& account = memory_.account;
  const bool is_other = total_is_exact_ && paging_.style != PagingStyle::kTime && edge.announced &&
                        account.total && *edge.announced != *account.total;
  return !is_other && FingerprintOf(edge.ids) == memory_.edge->fingerprint;
}

bool Walk::WasLeftLong(Instant now) const {
  return AreCountedByPlace(spec_) && memory_.edge && now - memory_.edge->read_at > kPauseMax;
}

bool Walk::is_sound() const {
  const auto& account = memory_.account;
  return Rows() == account.records && !(total_is_exact_ && account.total_moved) &&
         !account.is_unchecked && !leaves_moments_out_;
}

std::optional<std::string> Walk::WhyShort(std::optional<std::int64_t> total) const {
  const auto& account = memory_.account;
  return WhyUnbalanced({.kind = spec_.response.total_kind,
                        .within = spec_.response.total_within,
                        .announced = total ? std::optional(ShareOf(*total)) : std::nullopt},
                       Rows(), account.records);
}

// Two walks alike, and records that came more than once. The list may name them twice; or its order differs from page to
// page, or ids are not unique, and then what they stand in for never came. Where the total counts the different
// ones, all of them are here; on one page, order plays no part.
std::optional<std::string> Walk::WhyRepeated() const {
  const auto& account = memory_.account;
  if (spec_.response.repeats || paging_.style == PagingStyle::kTime) return std::nullopt;
  const auto is_all = [&](std::optional<std::int64_t> total) {
    return total && account.records >= ShareOf(*total);
  };
  const bool is_well = IsCounted() ? is_all(Total()) : account.returned == 0;
  if (is_well) return std::nullopt;
  return fmt::format(
      "{} of {} records came more than once in every walk: their order may differ from page to "
      "page (let the provider sort by something unique) or their ids may not be unique, and then "
      "others are "
      "missing; if the list names them twice, the definition may say `response: {{repeats: "
      "true}}`{}",
      Rows() - account.records, Rows(),
      paging_.style == PagingStyle::kOffset && paging_.step == OffsetStep::kReceived
          ? ", and if it leaves records out after paging, `paging: {step: size}`"
          : "");
}

// A list of one page, whose end is told by something that is missing: that is missing as well where the definition looks for it
// in the wrong place. Then either the page holds all that it can, or what leads on stands elsewhere.
std::optional<std::string> Walk::WhyNoNext() const {
  const auto& account = memory_.account;
  const bool goes_by_token =
      paging_.style == PagingStyle::kToken || paging_.style == PagingStyle::kUrl;
  if (!goes_by_token || !account.no_next || HasAll()) return std::nullopt;
  const bool is_full = account.page_most >= paging_.size && CanChoosePageSize(spec_);
  const bool is_vouched_for = (account.filled == 0 && Ends(WalkEnd::kEmptyPage)) ||
                              (account.page_most < paging_.size && Ends(WalkEnd::kShortPage));
  const auto& instead = *account.no_next;
  if (is_vouched_for || (!is_full && instead.empty())) return std::nullopt;
  const auto where = paging_.next          ? *paging_.next
                     : paging_.next_header ? fmt::format("the header '{}'", *paging_.next_header)
                                           : "rel=\"next\" of a header 'Link'";
  if (!instead.empty()) {
    return fmt::format(
        "nothing leads on from the first page where the definition looks for it, {}, but there is "
        "{}: others may follow; `paging` has to name what leads to the next page",
        where, instead);
  }
  return fmt::format(
      "the first page has {} records, as many as were asked for, and nothing where the definition "
      "looks for what leads on, {}: others may follow; a total (`response.total`), a word that it "
      "is "
      "the last (`paging.has_more`), or pages that are larger than the list (`paging.size`) would "
      "tell",
      account.page_most, where);
}

std::optional<std::string> Walk::WhyMisread() const {
  const auto& account = memory_.account;
  if (!account.unmet_member || account.rows > 0) return WhyNoNext();
  return fmt::format(
      "the filter of `items`, {}, passes over every record, and none of them has '{}', which it "
      "compares: it may be mistyped",
      spec_.response.items, *account.unmet_member);
}

bool Walk::NeedsSecondWalk() const {
  // An empty list that nobody announces may be a bad moment of the provider.
  const auto& account = memory_.account;
  const bool is_empty = account.pages > 0 && account.filled == 0;
  const bool may_be_a_slip = is_empty && !total_is_exact_ && !is_end_said_;
  const bool has_rests = MayHaveRests() && PageSizeFound(spec_, slice_, account);
  return may_be_a_slip || has_rests ||
         (account.pages > 1 && AreCountedByPlace(spec_) && !TotalTellsOfMoves(spec_));
}

std::optional<Position> Walk::PageToProbe() const {
  if (!MayHaveRests() || is_end_said_ || memory_.earlier) return std::nullopt;
  return RestOfOnlyPage(spec_, slice_, memory_.account);
}

WalkVerdict Walk::Judge() const {
  using Kind = WalkVerdict::Kind;
  const auto& account = memory_.account;
  if (account.is_cut_off) {
    return {Kind::kWalkAgain, fmt::format("the provider cuts pages off at {} records, and counts "
                                          "them as large as they were asked for",
                                          account.page_most)};
  }
  const auto why_short = WhyShort(Total());
  if (memory_.earlier && account.SawTheSameAs(*memory_.earlier)) {
    // The list stands still, whatever it says about itself on the way.
    if (why_short) return {Kind::kGap, *why_short, true};
    if (auto why = WhyCapped()) return {Kind::kGap, *std::move(why)};
    if (auto why = WhyFullAsItsWhole()) return {Kind::kGap, *std::move(why)};
    if (auto why = WhyRepeated()) return {Kind::kGap, *std::move(why)};
    if (auto why = WhyMisread())
      return {.kind = Kind::kGap, .reason = *std::move(why), .is_final = true};
    return {};
  }
  if (total_is_exact_ && account.total_moved) {
    return {Kind::kWalkAgain,
            fmt::format("the announced total went from {} to {} while the list was read",
                        account.total_first.value_or(0), account.total.value_or(0))};
  }
  if (Rows() > account.records) {
    return {Kind::kWalkAgain,
            fmt::format("{} records came more than once: the list moved while it was read, or "
                        "names them twice",
                        Rows() - account.records)};
  }
  if (const auto size = PageSizeFound(spec_, slice_, account); size && why_short) {
    return {Kind::kWalkAgain,
            fmt::format("{}; pages held {} records and not the {} that were asked for, and are "
                        "read once more in that size",
                        *why_short, *size, paging_.size)};
  }
  if (why_short) return {Kind::kGap, *why_short, true};
  if (auto why = WhyCapped()) return {Kind::kGap, *std::move(why)};
  if (auto why = WhyFullAsItsWhole()) return {Kind::kGap, *std::move(why)};
  if (account.is_unchecked)
    return {Kind::kWalkAgain, "the list may have moved while nobody was reading"};
  // A provider may forget it once.
  if (auto why = WhyMisread()) return {Kind::kWalkAgain, *std::move(why)};
  if (NeedsSecondWalk())
    return {Kind::kWalkAgain, "nothing tells whether the list moved while it was read"};
  return {};
}

}  // namespace patra::domain
