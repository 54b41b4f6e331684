#pragma once

#include "app/port/query_book.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class QueryBook final : public app::QueryBook {
 public:
  QueryBook(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<void> Note(const domain::Lane& lane, const std::string& query_hash,
                    const app::QueryInForce& in_force) override;
  Result<std::vector<app::PlannedSnapshot>> Snapshots(const domain::Lane& lane,
                                                      const std::string& query_hash) override;
  Result<domain::Coverage> ProvenUnder(const domain::Lane& lane, const std::string& query_hash,
                                       const std::set<std::string>& fingerprints,
                                       const domain::Window& window) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
