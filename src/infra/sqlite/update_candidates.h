#pragma once

#include "app/port/update_candidates.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class UpdateCandidates final : public app::UpdateCandidates {
 public:
  explicit UpdateCandidates(Store& store) : store_(store) {}

  Result<std::vector<std::string>> Stale(const domain::Partition& partition,
                                         Instant refreshed_before, const std::string& after,
                                         int ids_max) override;
  Result<std::vector<std::string>> OfOtherPrototypes(const domain::Partition& partition,
                                                     std::span<const std::string> prototypes,
                                                     const std::string& after,
                                                     int ids_max) override;

 private:
  Store& store_;
};

}  // namespace patra::infra::sqlite
