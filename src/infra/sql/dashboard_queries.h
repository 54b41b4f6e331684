#pragma once

#include "contract/dashboard.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class DashboardQueries final : public contract::DashboardQueries {
 public:
  explicit DashboardQueries(Database& database) : database_(database) {}

  Result<contract::QueueSnapshot> Queue(const contract::DashboardFilter& filter,
                                        const contract::Stretch& window) override;
  Result<contract::ErrorTop> TopErrors(const contract::ErrorQuestion& question) override;
  Result<contract::GateHistory> GateHistory(const std::string& key,
                                            const contract::PastSteps& steps) override;
  Result<contract::WorkHistory> WorkHistory(const contract::DashboardFilter& filter,
                                            const contract::PastSteps& steps) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
