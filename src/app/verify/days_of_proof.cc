#include "app/verify/days_of_proof.h"

#include <algorithm>

namespace patra::app {
namespace {

using contract::GapKind;
using contract::Stretch;

constexpr Duration kDay = std::chrono::days(1);

Instant DayOf(Instant moment) { return std::chrono::floor<std::chrono::days>(moment); }

// What a person has to know of first.
int Gravity(GapKind kind) {
  switch (kind) {
    case GapKind::kFailed:
      return 6;
    case GapKind::kPartial:
      return 5;
    case GapKind::kCancelled:
      return 4;
    case GapKind::kNeverPlanned:
      return 3;
    case GapKind::kUnfinished:
      return 2;
    case GapKind::kEarly:
      break;
  }
  return 1;
}

}  // namespace

DaysOfProofDraft::DaysOfProofDraft(const Stretch& range)
    : range_(range),
      from_(DayOf(range.from)),
      days_(static_cast<std::size_t>(
          range.to <= range.from ? 0 : (range.to - from_ + kDay - Duration(1)) / kDay)) {}

Stretch DaysOfProofDraft::InRange(std::size_t day) const {
  const auto begin = from_ + static_cast<std::int64_t>(day) * kDay;
  return {std::max(begin, range_.from), std::min(begin + kDay, range_.to)};
}

template <typename Visit>
void DaysOfProofDraft::ForEachDay(const Stretch& stretch, const Visit& visit) {
  const auto from = std::max(stretch.from, range_.from);
  const auto to = std::min(stretch.to, range_.to);
  if (to <= from) return;
  for (auto day = static_cast<std::size_t>((from - from_) / kDay); day < days_.size(); ++day) {
    const auto whole = InRange(day);
    if (whole.from >= to) return;
    const auto inside = std::min(to, whole.to) - std::max(from, whole.from);
    visit(days_[day], std::chrono::duration<double>(inside) / (whole.to - whole.from));
  }
}

void DaysOfProofDraft::Add(const contract::SliceRow& slice) {
  if (!slice.window || slice.window->from < range_.from || slice.window->from >= range_.to) return;
  auto& day = days_[static_cast<std::size_t>((slice.window->from - from_) / kDay)];
  ++day.slices;
  day.records += slice.sums.received;
}

std::vector<contract::ProofOfDay> DaysOfProofDraft::Finish(
    const contract::Certificate& certificate) && {
  for (const auto& proven : certificate.proven) {
    ForEachDay(proven.stretch, [](contract::ProofOfDay& day, double part) { day.proven += part; });
  }
  for (const auto& gap : certificate.gaps) {
    ForEachDay(gap.stretch, [&](contract::ProofOfDay& day, double) {
      if (!day.worst || Gravity(gap.kind) > Gravity(*day.worst)) day.worst = gap.kind;
    });
  }
  for (auto& day : days_) day.proven = day.worst ? std::min(day.proven, 1.0) : 1.0;
  return std::move(days_);
}

}  // namespace patra::app
