#pragma once

#include "app/port/update_candidates.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class UpdateCandidates final : public app::UpdateCandidates {
 public:
  explicit UpdateCandidates(Database& database) : database_(database) {}

  Result<std::vector<std::string>> Stale(const domain::Lane& lane, Instant refreshed_before,
                                         const std::string& after, int ids_max) override;
  Result<std::vector<std::string>> OfOtherPrototypes(const domain::Lane& lane,
                                                     std::span<const std::string> prototypes,
                                                     const std::string& after,
                                                     int ids_max) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
