// What a certificate says, day by day.
#pragma once

#include <vector>

#include "contract/certificate.h"

namespace patra::app {

// Of one day after the other, from that of `range.from` on.
class DaysOfProofDraft {
 public:
  explicit DaysOfProofDraft(const contract::Stretch& range);

  void Add(const contract::SliceRow& slice);
  // Of the same range.
  std::vector<contract::ProofOfDay> Finish(const contract::Certificate& certificate) &&;

  Instant from() const { return from_; }

 private:
  // Those that the stretch touches, and how much of each.
  template <typename Visit>
  void ForEachDay(const contract::Stretch& stretch, const Visit& visit);
  contract::Stretch InRange(std::size_t day) const;

  const contract::Stretch range_;
  const Instant from_;
  std::vector<contract::ProofOfDay> days_;
};

}  // namespace patra::app
