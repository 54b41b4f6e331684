#include "infra/sql/duty_table.h"

namespace patra::infra::sql::duty_table {
namespace {

constexpr std::string_view kTake = R"sql(
    INSERT INTO ing_duty (name, owner, until) VALUES (:name, :owner, :until)
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE ing_duty.until <= :now OR ing_duty.owner = excluded.owner)sql";

}  // namespace

Result<bool> Take(Session& session, const std::string& duty, const std::string& owner,
                  Instant until, Instant now) {
  return PATRA_TRY(session.Run(
             kTake, {{"name", duty}, {"owner", owner}, {"until", until}, {"now", now}})) > 0;
}

}  // namespace patra::infra::sql::duty_table
