#include "infra/sql/adjustment_table.h"

namespace patra::infra::sql::adjustment_table {
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
  const auto kind = domain::FindCode<app::AdjustmentKind>(rows.View("kind_code"));
  if (!kind) return Fail(ErrorCode::kCorruption, "an adjustment of an unknown kind");
  return app::Adjustment{.provenance = rows.Text("provenance_code"),
                         .endpoint = rows.Text("endpoint_name"),
                         .kind = *kind,
                         .value = rows.Integer("value"),
                         .reason = rows.Text("reason"),
                         .until = rows.OptionalTime("until"),
                         .made_by = rows.Text("made_by"),
                         .made_at = rows.Time("made_at")};
}

}  // namespace

Result<void> Put(Session& session, const app::Adjustment& adjustment, Instant now) {
  PATRA_TRY(session.Run(kPut, {{"provenance_code", adjustment.provenance},
                               {"endpoint_name", adjustment.endpoint},
                               {"kind_code", domain::CodeOf(adjustment.kind)},
                               {"value", adjustment.value},
                               {"reason", adjustment.reason},
                               {"made_by", adjustment.made_by},
                               {"now", now},
                               {"until", adjustment.until}}));
  return {};
}

Result<bool> Remove(Session& session, const std::string& provenance, const std::string& endpoint,
                    app::AdjustmentKind kind) {
  return PATRA_TRY(session.Run(kRemove, {{"provenance_code", provenance},
                                         {"endpoint_name", endpoint},
                                         {"kind_code", domain::CodeOf(kind)}})) > 0;
}

Result<std::optional<app::Adjustment>> Find(Session& session, const std::string& provenance,
                                            const std::string& endpoint, app::AdjustmentKind kind,
                                            Instant now) {
  auto rows = PATRA_TRY(session.Query(kFind, {{"provenance_code", provenance},
                                              {"endpoint_name", endpoint},
                                              {"kind_code", domain::CodeOf(kind)},
                                              {"now", now}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return PATRA_TRY(Read(rows));
}

Result<std::vector<app::Adjustment>> List(Session& session, Instant now) {
  std::vector<app::Adjustment> all;
  auto rows = PATRA_TRY(session.Query(kList, {{"now", now}}));
  while (PATRA_TRY(rows.Next())) all.push_back(PATRA_TRY(Read(rows)));
  return all;
}

}  // namespace patra::infra::sql::adjustment_table
