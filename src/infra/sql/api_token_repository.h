// Table ing_api_token.
#pragma once

#include "app/port/api_token_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ApiTokenRepository final : public app::ApiTokenRepository {
 public:
  ApiTokenRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Add(const app::ApiToken& token, const app::Decision& decision) override;
  Result<void> Revoke(const std::string& name, const app::Decision& decision) override;
  Result<std::optional<app::ApiToken>> Use(const std::string& hash) override;
  Result<std::vector<app::ApiToken>> List() override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
