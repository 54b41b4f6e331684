#include "app/verify/certify.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/item/balance.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

using contract::CertificateGap;
using contract::GapKind;
using contract::Proof;
using contract::RecordSums;
using contract::SliceRow;
using contract::Stretch;
using contract::TotalPromise;

std::optional<domain::Window> Overlap(const domain::Window& a, const Stretch& b) {
  const auto overlap = domain::Window::Between(std::max(a.from(), b.from), std::min(a.to(), b.to));
  return overlap ? std::optional(*overlap) : std::nullopt;
}

Stretch StretchOf(const domain::Window& window) { return {window.from(), window.to()}; }

Proof ProofOf(const RecordSums& sums, const TotalPromise& promise) {
  if (!sums.announced || promise.kind == "NONE") return Proof::kEndRule;
  return promise.kind == "ESTIMATE" ? Proof::kEstimate : Proof::kExactTotal;
}

// Why the sums of a slice do not add up; empty where they do.
std::string WhyWrong(const RecordSums& sums, const TotalPromise& promise) {
  if (sums.received != sums.accounted()) {
    return fmt::format("{} received, but {} accounted for", sums.received, sums.accounted());
  }
  const domain::TotalClaim claim{
      .kind = domain::FindCode<domain::TotalKind>(promise.kind).value_or(domain::TotalKind::kNone),
      .within = promise.within,
      .announced = sums.announced};
  return domain::WhyUnbalanced(claim, sums.received, sums.received - sums.repeated).value_or("");
}

GapKind KindOf(const SliceRow& slice, const domain::Window& left) {
  if (slice.falls_short()) return GapKind::kPartial;
  const auto& slice_status = slice.status;
  if (slice_status == "PARTIAL" && slice.provable_to && *slice.provable_to <= left.from())
    return GapKind::kEarly;
  if (slice_status == "FAILED") return GapKind::kFailed;
  if (slice_status == "PARTIAL") return GapKind::kPartial;
  if (slice_status == "CANCELLED") return GapKind::kCancelled;
  return GapKind::kUnfinished;
}

std::string RepairOf(GapKind kind, const contract::CoverageKey& key, const Stretch& stretch,
                     Id task) {
  switch (kind) {
    case GapKind::kUnfinished:
      return domain::NextStep("work.drain");
    case GapKind::kFailed:
    case GapKind::kPartial:
      if (task != 0) return domain::NextStep("task.requeue", {fmt::to_string(task)});
      break;
    case GapKind::kEarly:
      return domain::NextStep("harvest.run", {key.Name()});
    case GapKind::kNeverPlanned:
    case GapKind::kCancelled:
      break;
  }
  return domain::NextStep("backfill.window",
                          {key.Name(), FormatRfc3339(stretch.from), FormatRfc3339(stretch.to)});
}

std::string ReasonOf(GapKind kind, const SliceRow& slice) {
  switch (kind) {
    case GapKind::kFailed:
      return slice.gap ? "failed: " + *slice.gap : "failed, without saying why";
    case GapKind::kPartial:
      return slice.gap ? "partly received: " + *slice.gap : "partly received";
    case GapKind::kEarly:
      return slice.gap ? "not yet: " + *slice.gap : "not yet";
    case GapKind::kCancelled:
      return "cancelled";
    case GapKind::kNeverPlanned:
    case GapKind::kUnfinished:
      break;
  }
  return fmt::format("not finished: the slice is {}", slice.status);
}

CertificateGap NeverPlanned(const domain::Window& window, const contract::CoverageKey& key) {
  CertificateGap gap{.stretch = StretchOf(window), .reason = "never planned"};
  gap.repair = RepairOf(gap.kind, key, gap.stretch, 0);
  return gap;
}

CertificateGap NotYet(const domain::Window& window, const contract::CoverageKey& key) {
  return {.stretch = StretchOf(window),
          .kind = GapKind::kEarly,
          .reason = "not yet: it lies after now",
          .repair = RepairOf(GapKind::kEarly, key, {}, 0)};
}

CertificateGap LeftBy(const SliceRow& slice, const domain::Window& window,
                      const contract::CoverageKey& key) {
  const auto kind = KindOf(slice, window);
  const auto stretch = StretchOf(window);
  // Its own task is done: what it was cut into has to be read anew.
  const auto task = slice.falls_short() ? Id{0} : slice.task;
  return {.stretch = stretch,
          .kind = kind,
          .reason = ReasonOf(kind, slice),
          .plan = slice.plan,
          .slice = slice.id,
          .task = task,
          .repair = RepairOf(kind, key, stretch, task)};
}

}  // namespace

CertificateDraft::CertificateDraft(contract::CoverageKey key, const domain::Window& range,
                                   const std::vector<Stretch>& proven)
    : range_(range) {
  certificate_.key = std::move(key);
  certificate_.range = StretchOf(range);
  for (const auto& stretch : proven) {
    if (const auto inside = Overlap(range, stretch)) proven_.Add(*inside);
  }
  for (const auto& window : proven_.windows())
    certificate_.proven.push_back({.stretch = StretchOf(window), .by = {}});
  by_plan_.resize(certificate_.proven.size());
}

void CertificateDraft::Add(const SliceRow& slice, const TotalPromise& promise,
                           const std::vector<std::string>& differences) {
  if (!slice.window) return;
  const auto inside = Overlap(range_, *slice.window);
  if (!inside) return;
  NoteAsked(slice, *inside, differences);
  if (slice.status == "SUCCEEDED") {
    AddProof(slice, promise);
  } else {
    unfinished_.push_back(slice);
  }
}

// One that ended early has proven what lies before that; of one that was cut, its parts prove the rest.
void CertificateDraft::NoteAsked(const SliceRow& slice, const domain::Window& inside,
                                 const std::vector<std::string>& differences) {
  if (slice.parent != 0) cut_.insert(slice.parent);
  auto& asked = differences.empty() ? as_asked_ : asked_otherwise_;
  differences_.insert(differences.begin(), differences.end());
  if (slice.status == "SUCCEEDED") asked.whole.Add(inside);
  if (slice.status != "PARTIAL") return;
  asked.partial.emplace(slice.id, inside);
  const auto to = std::min(inside.to(), slice.provable_to.value_or(inside.from()));
  if (const auto part = domain::Window::Between(inside.from(), to)) asked.whole.Add(*part);
}

void CertificateDraft::NameAskedOtherwise() {
  for (auto* asked : {&as_asked_, &asked_otherwise_}) {
    for (const auto& [slice, window] : asked->partial)
      if (cut_.contains(slice)) asked->whole.Add(window);
  }
  for (const auto& window : asked_otherwise_.whole.windows()) {
    for (const auto& rest : as_asked_.whole.GapsIn(window)) {
      domain::Coverage unproven(proven_.GapsIn(rest));
      for (const auto& proven : unproven.GapsIn(rest))
        certificate_.asked_otherwise.push_back(StretchOf(proven));
    }
  }
  if (!certificate_.asked_otherwise.empty())
    certificate_.asked_otherwise_by.assign(differences_.begin(), differences_.end());
}

void CertificateDraft::AddProof(const SliceRow& slice, const TotalPromise& promise) {
  certificate_.sums += slice.sums;
  if (auto why = WhyWrong(slice.sums, promise); !why.empty()) {
    certificate_.imbalances.push_back({slice.plan, slice.id, *slice.window, std::move(why)});
    newer_.try_emplace(slice.id);
  }
  // A slice's window lies within one stretch: it was merged in as a whole.
  const auto inside = *Overlap(range_, *slice.window);
  const auto& windows = proven_.windows();
  const auto next = std::ranges::upper_bound(windows, inside.from(), {}, &domain::Window::from);
  if (next == windows.begin() || !std::prev(next)->Covers(inside)) return;
  const auto home = std::prev(next);

  const auto closed = slice.closed_at.value_or(slice.updated_at);
  auto& by = by_plan_[static_cast<std::size_t>(home - windows.begin())]
                 .try_emplace(slice.plan, contract::ProvenBy{.plan = slice.plan,
                                                             .operation = slice.scope.operation,
                                                             .first_slice = slice.id,
                                                             .last_slice = slice.id,
                                                             .closed_first = closed,
                                                             .closed_last = closed})
                 .first->second;
  ++by.slices;
  by.first_slice = std::min(by.first_slice, slice.id);
  by.last_slice = std::max(by.last_slice, slice.id);
  by.closed_first = std::min(by.closed_first, closed);
  by.closed_last = std::max(by.closed_last, closed);
  by.sums += slice.sums;
  switch (ProofOf(slice.sums, promise)) {
    case Proof::kExactTotal:
      ++by.by_exact_total;
      break;
    case Proof::kEstimate:
      ++by.by_estimate;
      break;
    case Proof::kEndRule:
      ++by.by_end_rule;
      break;
  }
}

// What was wrong once and has been read again since is right.
void CertificateDraft::Outdate(const SliceRow& slice, const TotalPromise& promise) {
  if (!slice.window || slice.status != "SUCCEEDED" || !WhyWrong(slice.sums, promise).empty())
    return;
  const auto window = domain::Window::Between(slice.window->from, slice.window->to);
  if (!window) return;
  for (auto& [old, newer] : newer_) {
    if (slice.id > old) newer.Add(*window);
  }
}

// A stretch may have been tried more than once: the newest slice says why it is still open. A whole whose parts fall short speaks
// for all of them.
void CertificateDraft::NameGaps(Instant now) {
  std::ranges::sort(unfinished_, std::greater(),
                    [](const SliceRow& slice) { return std::pair(slice.falls_short(), slice.id); });
  auto& gaps = certificate_.gaps;
  domain::Coverage named = proven_;
  for (const auto& slice : unfinished_) {
    const auto inside = Overlap(range_, *slice.window);
    if (!inside) continue;
    for (const auto& piece : named.GapsIn(*inside))
      gaps.push_back(LeftBy(slice, piece, certificate_.key));
    named.Add(*inside);
  }
  if (const auto future = domain::Window::Between(std::max(now, range_.from()), range_.to())) {
    for (const auto& piece : named.GapsIn(*future)) gaps.push_back(NotYet(piece, certificate_.key));
    named.Add(*future);
  }
  const auto end = std::min(now, range_.to());
  for (const auto& piece : named.GapsIn(range_)) {
    gaps.push_back(NeverPlanned(piece, certificate_.key));
    // Nothing after it was ever asked for: it is the next harvest's.
    const bool is_news = piece.to() == end && piece.from() != range_.from();
    if (is_news) gaps.back().repair = RepairOf(GapKind::kEarly, certificate_.key, {}, 0);
  }
  std::ranges::sort(gaps, {}, [](const CertificateGap& gap) { return gap.stretch.from; });
}

contract::Certificate CertificateDraft::Finish(std::int64_t quarantine_open, Instant now) && {
  for (std::size_t i = 0; i < by_plan_.size(); ++i) {
    for (auto& [plan, by] : by_plan_[i]) certificate_.proven[i].by.push_back(std::move(by));
  }
  NameGaps(now);
  NameAskedOtherwise();
  std::erase_if(certificate_.imbalances, [&](const contract::Imbalance& imbalance) {
    const auto window = domain::Window::Between(imbalance.stretch.from, imbalance.stretch.to);
    return window && newer_.at(imbalance.slice).GapsIn(*window).empty();
  });
  certificate_.quarantine_open = quarantine_open;
  certificate_.issued_at = now;
  return std::move(certificate_);
}

namespace {

void Add(const Stretch& stretch, domain::Coverage& windows) {
  if (const auto window = domain::Window::Between(stretch.from, stretch.to)) windows.Add(*window);
}

}  // namespace

std::vector<domain::Window> GapsToPlan(const contract::Certificate& certificate) {
  domain::Coverage windows;
  for (const auto& gap : certificate.gaps) {
    if (gap.kind != GapKind::kUnfinished && gap.kind != GapKind::kEarly) Add(gap.stretch, windows);
  }
  return windows.windows();
}

std::vector<domain::Window> WindowsToReadAgain(const contract::Certificate& certificate) {
  domain::Coverage windows;
  for (const auto& imbalance : certificate.imbalances) Add(imbalance.stretch, windows);
  return windows.windows();
}

}  // namespace patra::app
