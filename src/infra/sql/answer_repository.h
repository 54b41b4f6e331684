// Table ing_api_answer.
#pragma once

#include "app/port/answer_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class AnswerRepository final : public app::AnswerRepository {
 public:
  AnswerRepository(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<app::AnswerBegun> Begin(const app::AnswerClaim& claim, Instant kept_since) override;
  Result<void> KeepAlive(const std::string& key_hash, const std::string& owner,
                         Instant until) override;
  Result<void> Finish(const std::string& key_hash, const std::string& owner, std::int64_t status,
                      const std::string& body) override;
  Result<void> Forget(const std::string& key_hash, const std::string& owner) override;
  Result<std::int64_t> Count(std::int64_t at_most) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
