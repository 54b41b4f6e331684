#include "infra/sql/duty_table.h"

namespace patra::infra::sql::duty_table {
namespace {

constexpr std::string_view kTakeOver = R"sql(
    UPDATE ing_duty SET owner = :owner, until = :until
    WHERE name = :name AND (until <= :now OR owner = :owner))sql";

constexpr std::string_view kTakeFirst = R"sql(
    INSERT INTO ing_duty (name, owner, until) VALUES (:name, :owner, :until)
    ON CONFLICT (name) DO NOTHING)sql";

}  // namespace

Result<bool> Take(Session& session, const std::string& duty, const std::string& owner,
                  Instant until, Instant now) {
  const auto taken_over = PATRA_TRY(
      session.Run(kTakeOver, {{"owner", owner}, {"until", until}, {"name", duty}, {"now", now}}));
  if (taken_over > 0) return true;
  return PATRA_TRY(session.Run(kTakeFirst, {{"name", duty}, {"owner", owner}, {"until", until}})) >
         0;
}

}  // namespace patra::infra::sql::duty_table
