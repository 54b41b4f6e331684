#include "infra/sql/provider_clock_table.h"

namespace patra::infra::sql::provider_clock_table {
namespace {

constexpr std::string_view kFind = R"sql(
    SELECT ours_at, theirs_at FROM ing_provider_clock WHERE provenance_code = :provenance_code LIMIT 1)sql";

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_provider_clock (provenance_code, ours_at, theirs_at)
    VALUES (:provenance_code, :ours_at, :theirs_at)
    ON CONFLICT (provenance_code)
    DO UPDATE SET ours_at = excluded.ours_at, theirs_at = excluded.theirs_at)sql";

}  // namespace

Result<std::optional<domain::ClockReading>> Find(Session& session, const std::string& provenance) {
  auto rows = PATRA_TRY(session.Query(kFind, {{"provenance_code", provenance}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return domain::ClockReading{.ours = rows.Time("ours_at"), .theirs = rows.Time("theirs_at")};
}

Result<void> Note(Session& session, const std::string& provenance,
                  const domain::ClockReading& reading) {
  const auto kept = domain::ToKeep(PATRA_TRY(Find(session, provenance)), reading);
  PATRA_TRY(session.Run(
      kPut, {{"provenance_code", provenance}, {"ours_at", kept.ours}, {"theirs_at", kept.theirs}}));
  return {};
}

}  // namespace patra::infra::sql::provider_clock_table
