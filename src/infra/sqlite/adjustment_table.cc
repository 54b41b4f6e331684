#include "infra/sqlite/adjustment_table.h"

namespace patra::infra::sqlite::adjustment_table {
namespace {

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_adjustment
        (provenance_code, endpoint_name, kind_code, value, reason, made_by, made_at, until)
    VALUES (:provenance_code, :endpoint_name, :kind_code, :value, :reason, :made_by, :now, :until)
    ON CONFLICT (provenance_code, endpoint_name, kind_code)
    DO UPDATE SET value = excluded.value, reason = excluded.reason, made_by = excluded.made_by,
        made_at = excluded.made_at, until = excluded.until)sql";

constexpr std::string_view kRemove = R"sql(
    DELETE FROM ing_adjustment
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND kind_code = :kind_code)sql";

constexpr std::string_view kFind = R"sql(
    SELECT provenance_code, endpoint_name, kind_code, value, reason, made_by, made_at, until
    FROM ing_adjustment
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND kind_code = :kind_code AND (until IS NULL OR until > :now) LIMIT 1)sql";

// A handful of rows: of the sources that are in trouble.
constexpr std::string_view kList = R"sql(
    SELECT provenance_code, endpoint_name, kind_code, value, reason, made_by, made_at, until
    FROM ing_adjustment WHERE until IS NULL OR until > :now
    ORDER BY provenance_code, endpoint_name, kind_code LIMIT 10000)sql";

Result<app::Adjustment> Read(const Rows& rows) {
  const auto kind = domain::FindCode<app::AdjustmentKind>(rows.View(2));
  if (!kind) return Fail(ErrorCode::kCorruption, "an adjustment of an unknown kind");
  return app::Adjustment{.provenance = rows.Text(0),
                         .endpoint = rows.Text(1),
                         .kind = *kind,
                         .value = rows.Integer(3),
                         .reason = rows.Text(4),
                         .until = rows.OptionalTime(7),
                         .made_by = rows.Text(5),
                         .made_at = rows.Time(6)};
}

}  // namespace

Result<void> Put(Connection& connection, const app::Adjustment& adjustment, Instant now) {
  PATRA_TRY(connection.Run(kPut, adjustment.provenance, adjustment.endpoint,
                           domain::CodeOf(adjustment.kind), adjustment.value, adjustment.reason,
                           adjustment.made_by, now, adjustment.until));
  return {};
}

Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint, app::AdjustmentKind kind) {
  return PATRA_TRY(connection.Run(kRemove, provenance, endpoint, domain::CodeOf(kind))) > 0;
}

Result<std::optional<app::Adjustment>> Find(Connection& connection, const std::string& provenance,
                                            const std::string& endpoint, app::AdjustmentKind kind,
                                            Instant now) {
  auto rows = PATRA_TRY(connection.Query(kFind, provenance, endpoint, domain::CodeOf(kind), now));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return PATRA_TRY(Read(rows));
}

Result<std::vector<app::Adjustment>> List(Connection& connection, Instant now) {
  std::vector<app::Adjustment> all;
  auto rows = PATRA_TRY(connection.Query(kList, now));
  while (PATRA_TRY(rows.Next())) all.push_back(PATRA_TRY(Read(rows)));
  return all;
}

}  // namespace patra::infra::sqlite::adjustment_table
