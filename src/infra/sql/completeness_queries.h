#pragma once

#include "contract/certificate.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class CompletenessQueries final : public contract::CompletenessQueries {
 public:
  explicit CompletenessQueries(Database& database) : database_(database) {}

  Result<std::vector<Known>> KnownQueries(const std::string& source,
                                          const std::string& endpoint) override;
  Result<std::vector<contract::Stretch>> Proven(const contract::CoverageKey& key,
                                                const contract::Stretch& range) override;
  Result<std::vector<contract::SliceRow>> SlicesIn(const contract::CoverageKey& key,
                                                   const contract::Stretch& range,
                                                   const std::optional<contract::SliceRow>& after,
                                                   int rows_max) override;
  Result<contract::TotalPromise> PromiseOf(Id plan) override;
  Result<std::string> SnapshotOf(Id plan) override;
  Result<std::int64_t> OpenQuarantine(const contract::CoverageKey& key,
                                      const contract::Stretch& range) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
