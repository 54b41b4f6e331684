#include "app/plan/candidate_ids.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/integer.h"
#include "domain/cursor/refresh_progress.h"
#include "domain/plan/slicer.h"

namespace patra::app {
namespace {

constexpr std::size_t kIdsPerPage = 5'000;

// Where reading goes on after a page from the store.
CandidatePage PageOf(std::vector<std::string> ids, const std::string& before, int ids_max) {
  CandidatePage page{.position = ids.empty() ? before : ids.back(),
                     .is_last = ids.size() < static_cast<std::size_t>(ids_max)};
  page.ids = std::move(ids);
  return page;
}

class StaleIds final : public CandidateIds {
 public:
  StaleIds(UpdateCandidates& items, domain::Lane lane, Instant before, int buckets, int bucket)
      : items_(items),
        lane_(std::move(lane)),
        before_(before),
        buckets_(buckets),
        bucket_(bucket) {}

  Result<CandidatePage> After(const std::string& position, int ids_max) override {
    auto page =
        PageOf(PATRA_TRY(items_.Stale(lane_, before_, position, ids_max)), position, ids_max);
    std::erase_if(page.ids, [&](const std::string& id) {
      return domain::HashBucket(id, buckets_) != bucket_;
    });
    return page;
  }

 private:
  UpdateCandidates& items_;
  const domain::Lane lane_;
  const Instant before_;
  const int buckets_;
  const int bucket_;
};

class ChangedIds final : public CandidateIds {
 public:
  ChangedIds(UpdateCandidates& items, domain::Lane lane, std::vector<std::string> prototypes)
      : items_(items), lane_(std::move(lane)), prototypes_(std::move(prototypes)) {}

  Result<CandidatePage> After(const std::string& position, int ids_max) override {
    return PageOf(PATRA_TRY(items_.OfOtherPrototypes(lane_, prototypes_, position, ids_max)),
                  position, ids_max);
  }

 private:
  UpdateCandidates& items_;
  const domain::Lane lane_;
  const std::vector<std::string> prototypes_;
};

class ListedIds final : public CandidateIds {
 public:
  ListedIds(std::vector<std::string> ids) : ids_(std::move(ids)) {}

  Result<CandidatePage> After(const std::string& position, int ids_max) override {
    const auto from = std::ranges::upper_bound(ids_, position);
    const auto count = std::min<std::ptrdiff_t>(ids_max, ids_.end() - from);
    return PageOf({from, from + count}, position, ids_max);
  }

 private:
  const std::vector<std::string> ids_;  // in order
};

// The position is the number of the last signal. Several signals may name one record: it is fetched once
// per page, and a second time costs a request at most.
class SignalledIds final : public CandidateIds {
 public:
  SignalledIds(SignalRepository& signals, Id plan, domain::TextCase id_case)
      : signals_(signals), plan_(plan), id_case_(id_case) {}

  Result<CandidatePage> After(const std::string& position, int ids_max) override {
    const auto after = ParseInteger(position).value_or(0);
    const auto signals = PATRA_TRY(signals_.TakenBy(plan_, after, ids_max));
    CandidatePage page{.position = position,
                       .is_last = signals.size() < static_cast<std::size_t>(ids_max)};
    for (const auto& signal : signals) page.ids.push_back(domain::InCase(signal.item_id, id_case_));
    if (!signals.empty()) page.position = fmt::to_string(signals.back().id);
    std::ranges::sort(page.ids);
    const auto repeated = std::ranges::unique(page.ids);
    page.ids.erase(repeated.begin(), repeated.end());
    return page;
  }

 private:
  SignalRepository& signals_;
  const Id plan_;
  const domain::TextCase id_case_;
};

class SlicesOfIds final : public SliceSource {
 public:
  SlicesOfIds(std::unique_ptr<CandidateIds> candidates, const StoredPlan& plan,
              std::size_t ids_per_slice)
      : candidates_(std::move(candidates)),
        window_(plan.plan.window),
        bucket_(BucketOf(plan.plan)),
        position_(plan.position.value_or("")),
        is_done_(plan.is_wholly_cut()),
        ids_per_slice_(ids_per_slice) {}

  Result<std::optional<NextSlice>> Next() override {
    const auto before = position_;
    std::vector<std::string> ids;
    while (!is_done_ && ids.size() < ids_per_slice_) {
      const auto wanted = std::min(ids_per_slice_ - ids.size(), kIdsPerPage);
      auto page = PATRA_TRY(candidates_->After(position_, static_cast<int>(wanted)));
      ids.insert(ids.end(), page.ids.begin(), page.ids.end());
      position_ = page.position;
      is_done_ = page.is_last;
    }
    if (ids.empty()) return std::nullopt;
    return NextSlice{.spec = {.dimension = domain::SliceDimension::kId,
                              .window = window_,
                              .ids = domain::IdBounds{.from = before,
                                                      .to = is_done_ ? "" : position_,
                                                      .hash_bucket = bucket_}},
                     .ids = std::move(ids),
                     .after = {is_done_ ? window_.to() : window_.from(), position_}};
  }

 private:
  static std::optional<int> BucketOf(const domain::Plan& plan) {
    const auto* bucket = plan.slice_params.Find("bucket");
    if (bucket == nullptr || bucket->AsInteger() == nullptr) return std::nullopt;
    return static_cast<int>(*bucket->AsInteger());
  }

  std::unique_ptr<CandidateIds> candidates_;
  const domain::Window window_;
  const std::optional<int> bucket_;
  std::string position_;
  bool is_done_;
  const std::size_t ids_per_slice_;
};

std::int64_t NumberIn(const Value& params, std::string_view name, std::int64_t fallback) {
  const auto* member = params.Find(name);
  const auto* number = member == nullptr ? nullptr : member->AsInteger();
  return number == nullptr ? fallback : *number;
}

std::string ParameterIn(const Value& params, std::string_view name) {
  const auto* member = params.Find(name);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? "" : *text;
}

std::vector<std::string> TextsIn(const Value& params, std::string_view name) {
  std::vector<std::string> texts;
  const auto* member = params.Find(name);
  if (member == nullptr || member->AsArray() == nullptr) return texts;
  for (const auto& item : *member->AsArray()) {
    if (item.AsString() != nullptr) texts.push_back(*item.AsString());
  }
  return texts;
}

}  // namespace

Result<std::unique_ptr<CandidateIds>> OpenCandidates(const PlanPorts& ports,
                                                     const domain::Plan& plan,
                                                     const domain::SpecSnapshot& spec,
                                                     std::vector<std::string> listed) {
  const auto& params = plan.slice_params;
  const auto by = ParameterIn(params, "by");
  if (by == "STALE") {
    const auto before = PATRA_TRY(ParseRfc3339(ParameterIn(params, domain::kCheckedTo)));
    return std::make_unique<StaleIds>(
        ports.candidates, plan.lane, before,
        static_cast<int>(std::max<std::int64_t>(NumberIn(params, "buckets", 1), 1)),
        static_cast<int>(NumberIn(params, "bucket", 0)));
  }
  if (by == "EXPR_CHANGED")
    return std::make_unique<ChangedIds>(ports.candidates, plan.lane, TextsIn(params, "prototypes"));
  if (by == "SIGNALS") {
    const auto id_case = spec.details ? spec.details->response.id_case : domain::TextCase::kAsIs;
    return std::make_unique<SignalledIds>(ports.signals, plan.id, id_case);
  }
  if (by == "IDS") return std::make_unique<ListedIds>(std::move(listed));
  return Fail(ErrorCode::kCorruption, fmt::format("'{}' is no way to find records", by));
}

std::unique_ptr<SliceSource> IdSource(std::unique_ptr<CandidateIds> candidates,
                                      const StoredPlan& plan, std::size_t ids_per_slice) {
  PATRA_ASSERT(ids_per_slice > 0);
  return std::make_unique<SlicesOfIds>(std::move(candidates), plan, ids_per_slice);
}

}  // namespace patra::app
