#include "infra/sql/tally_table.h"

namespace patra::infra::sql::tally_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_retention_tally (what, "rows", bytes, last_at) VALUES (:what, :rows, :bytes, :last_at)
    ON CONFLICT (what) DO UPDATE
    SET "rows" = ing_retention_tally."rows" + excluded."rows", bytes = ing_retention_tally.bytes + excluded.bytes,
        last_at = excluded.last_at)sql";

constexpr std::string_view kList =
    "SELECT what, \"rows\", bytes, last_at FROM ing_retention_tally ORDER BY what LIMIT 1000";

}  // namespace

Result<void> Add(Session& session, const app::Tally& gone, Instant now) {
  PATRA_TRY(session.Run(
      kAdd, {{"what", gone.what}, {"rows", gone.rows}, {"bytes", gone.bytes}, {"last_at", now}}));
  return {};
}

Result<std::vector<app::Tally>> List(Session& session) {
  std::vector<app::Tally> tallies;
  auto rows = PATRA_TRY(session.Query(kList));
  while (PATRA_TRY(rows.Next()))
    tallies.push_back({.what = rows.Text("what"),
                       .rows = rows.Integer("rows"),
                       .bytes = rows.Integer("bytes"),
                       .last_at = rows.Time("last_at")});
  return tallies;
}

}  // namespace patra::infra::sql::tally_table
