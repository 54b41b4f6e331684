#include "infra/sql/mask_key_table.h"

namespace patra::infra::sql::mask_key_table {
namespace {

constexpr std::string_view kFind = "SELECT secret FROM ing_mask_key WHERE id = 1 LIMIT 1";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_mask_key (id, secret, created_at) VALUES (1, :secret, :now)
    ON CONFLICT (id) DO NOTHING)sql";

}  // namespace

Result<std::string> Find(Session& session) {
  auto rows = PATRA_TRY(session.Query(kFind));
  if (!PATRA_TRY(rows.Next())) return std::string();
  return rows.Text("secret");
}

Result<std::string> FindOrMake(Session& session, const std::string& offered, Instant now) {
  if (auto known = PATRA_TRY(Find(session)); !known.empty()) return known;
  PATRA_TRY(session.Run(kInsert, {{"secret", offered}, {"now", now}}));
  return Find(session);
}

}  // namespace patra::infra::sql::mask_key_table
