#include "app/plan/slice_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/integer.h"

namespace patra::app {
namespace {

using domain::Window;

Result<std::string> TextMember(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  if (text == nullptr)
    return Fail(ErrorCode::kCorruption, fmt::format("a plan's slice_params lack '{}'", name));
  return *text;
}

Result<Window> StretchOf(const Value& value) {
  const auto from_text = PATRA_TRY(TextMember(value, "from"));
  const auto to_text = PATRA_TRY(TextMember(value, "to"));
  const auto from = PATRA_TRY(ParseRfc3339(from_text));
  const auto to = PATRA_TRY(ParseRfc3339(to_text));
  return Window::Between(from, to);
}

// What of the stretches lies within [from, to).
std::vector<Window> Within(const std::vector<Window>& stretches, Instant from, Instant to) {
  std::vector<Window> within;
  for (const auto& stretch : stretches) {
    const auto part = Window::Between(std::max(stretch.from(), from), std::min(stretch.to(), to));
    if (part) within.push_back(*part);
  }
  return within;
}

Result<domain::PageCut> PageCutOf(const Value& value) {
  const auto number = [&](std::string_view name) {
    const auto* member = value.Find(name);
    const auto* found = member == nullptr ? nullptr : member->AsInteger();
    return found == nullptr ? std::int64_t{-1} : *found;
  };
  const auto* by_offset = value.Find("byOffset");
  domain::PageCut cut{.first = number("first"),
                      .per_slice = number("perSlice"),
                      .records = number("records"),
                      .page_size = number("pageSize"),
                      .by_offset = by_offset != nullptr && *by_offset == Value(true)};
  if (cut.first < 0 || cut.per_slice < 1 || cut.records < 0 || cut.page_size < 1)
    return Fail(ErrorCode::kCorruption, "a plan's slice_params do not say how to cut");
  return cut;
}

class CutPages final : public SliceSource {
 public:
  CutPages(domain::PageSlicer slicer, const Window& whole)
      : slicer_(std::move(slicer)), whole_(whole) {}

  Result<std::optional<NextSlice>> Next() override {
    const auto slice = slicer_.Next();
    if (!slice) return std::nullopt;
    const bool is_last = slice->pages->to == domain::kNoLastPage;
    return NextSlice{
        .spec = *slice,
        .after = {is_last ? whole_.to() : whole_.from(), fmt::to_string(slice->pages->to)}};
  }

 private:
  domain::PageSlicer slicer_;
  Window whole_;
};

class NoSlices final : public SliceSource {
 public:
  Result<std::optional<NextSlice>> Next() override { return std::nullopt; }
};

Result<std::unique_ptr<SliceSource>> PageSource(const StoredPlan& stored) {
  if (stored.is_wholly_cut()) return std::make_unique<NoSlices>();
  const auto& plan = stored.plan;
  const auto cut = PATRA_TRY(PageCutOf(plan.slice_params));
  const auto from = stored.position ? ParseInteger(*stored.position) : cut.first;
  if (!from) return Fail(ErrorCode::kCorruption, "a plan's slice_position is no place in a list");
  return std::make_unique<CutPages>(domain::PageSlicer(plan.window, cut, *from), plan.window);
}

class CutTime final : public SliceSource {
 public:
  CutTime(std::unique_ptr<domain::Slicer> slicer, const Window& whole, bool newest_first)
      : slicer_(std::move(slicer)), whole_(whole), newest_first_(newest_first) {
    upcoming_ = slicer_->Next();
  }

  Result<std::optional<NextSlice>> Next() override {
    if (!upcoming_) return std::nullopt;
    const auto slice = *upcoming_;
    upcoming_ = slicer_->Next();
    return NextSlice{.spec = slice, .after = After(slice.window)};
  }

 private:
  // Newest first, nothing can be said of the beginning until the last slice is there.
  SlicingProgress After(const Window& cut) const {
    if (!upcoming_) return {whole_.to(), newest_first_ ? Position(cut) : std::nullopt};
    if (newest_first_) return {whole_.from(), Position(cut)};
    return {cut.to()};
  }

  static std::optional<std::string> Position(const Window& cut) {
    return FormatRfc3339(cut.from());
  }

  std::unique_ptr<domain::Slicer> slicer_;
  std::optional<domain::SliceSpec> upcoming_;
  Window whole_;
  bool newest_first_;
};

}  // namespace

Value TimeCut::ToValue() const {
  Value::Array list;
  for (const auto& stretch : stretches) {
    list.push_back(Value::Object{{"from", FormatRfc3339(stretch.from())},
                                 {"to", FormatRfc3339(stretch.to())}});
  }
  return Value::Object{{"width", FormatIsoDuration(width)},
                       {"zone", zone},
                       {"order", newest_first ? "NEWEST_FIRST" : "OLDEST_FIRST"},
                       {"stretches", std::move(list)}};
}

Result<TimeCut> TimeCut::FromValue(const Value& value) {
  const auto width = PATRA_TRY(TextMember(value, "width"));
  const auto order = PATRA_TRY(TextMember(value, "order"));
  TimeCut cut{.width = PATRA_TRY(ParseDuration(width)),
              .zone = PATRA_TRY(TextMember(value, "zone")),
              .newest_first = order == "NEWEST_FIRST"};
  const auto* list = value.Find("stretches");
  if (list == nullptr || list->AsArray() == nullptr || cut.width <= Duration::zero())
    return Fail(ErrorCode::kCorruption, "a plan's slice_params do not say how to cut");
  for (const auto& stretch : *list->AsArray())
    cut.stretches.push_back(PATRA_TRY(StretchOf(stretch)));
  return cut;
}

std::vector<Window> Bounded(std::vector<Window> stretches) {
  if (stretches.size() <= kStretchesMax) return stretches;
  const auto last = *Window::Between(stretches[kStretchesMax - 1].from(), stretches.back().to());
  stretches.erase(stretches.begin() + (kStretchesMax - 1), stretches.end());
  stretches.push_back(last);
  return stretches;
}

Value PageCutValue(const domain::PageCut& cut) {
  return Value::Object{{"first", cut.first},
                       {"perSlice", cut.per_slice},
                       {"records", cut.records},
                       {"pageSize", cut.page_size},
                       {"byOffset", cut.by_offset}};
}

Result<std::unique_ptr<SliceSource>> ListSource(const StoredPlan& stored) {
  const auto& plan = stored.plan;
  if (plan.slice_strategy == kByPage) return PageSource(stored);
  const auto cut = PATRA_TRY(TimeCut::FromValue(plan.slice_params));
  auto from = plan.window.from();
  auto to = plan.window.to();
  if (cut.newest_first && stored.position) to = PATRA_TRY(ParseRfc3339(*stored.position));
  if (!cut.newest_first && stored.sliced_to) from = std::max(from, *stored.sliced_to);
  auto rest = stored.is_wholly_cut() ? std::vector<Window>{} : Within(cut.stretches, from, to);

  std::unique_ptr<domain::Slicer> slicer;
  if (plan.slice_strategy == kSingle && !rest.empty()) {
    slicer = std::make_unique<domain::SingleSlicer>(
        *Window::Between(rest.front().from(), rest.back().to()));
  } else {
    const auto zone = PATRA_TRY(TimeZone::Find(cut.zone));
    slicer = std::make_unique<domain::TimeSlicer>(
        std::move(rest), domain::TimeGrid(cut.width, zone),
        cut.newest_first ? domain::SliceOrder::kNewestFirst : domain::SliceOrder::kOldestFirst);
  }
  return std::make_unique<CutTime>(std::move(slicer), plan.window, cut.newest_first);
}

}  // namespace patra::app
