#include "infra/sql/rate_history.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kAddMinute = R"sql(
    INSERT INTO ing_gate_minute
        (minute, gate_key, provenance_code, endpoint_name, requests, throttled, failures, cuts, cool_downs,
         openings, share_ppm_sum, limit_per_day, stopped_until)
    VALUES (:minute, :gate_key, :provenance_code, :endpoint_name, :requests, :throttled, :failures, :cuts,
            :cool_downs, :openings, :share_ppm_sum, :limit_per_day, :stopped_until)
    ON CONFLICT (gate_key, minute, provenance_code, endpoint_name)
    DO UPDATE SET requests = requests + excluded.requests, throttled = throttled + excluded.throttled,
        failures = failures + excluded.failures, cuts = cuts + excluded.cuts,
        cool_downs = cool_downs + excluded.cool_downs, openings = openings + excluded.openings,
        share_ppm_sum = share_ppm_sum + excluded.share_ppm_sum,
        limit_per_day = max(limit_per_day, excluded.limit_per_day),
        stopped_until = max(stopped_until, excluded.stopped_until))sql";

constexpr std::string_view kForgetMinutes = "DELETE FROM ing_gate_minute WHERE minute < :before";

}  // namespace

Result<void> RateHistory::Add(const std::vector<app::SentInMinute>& sent) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
    for (const auto& row : sent) {
      PATRA_TRY(session.Run(kAddMinute, {{"minute", row.minute},
                                         {"gate_key", row.key},
                                         {"provenance_code", row.provenance},
                                         {"endpoint_name", row.endpoint},
                                         {"requests", row.requests},
                                         {"throttled", row.throttled},
                                         {"failures", row.failures},
                                         {"cuts", row.cuts},
                                         {"cool_downs", row.cool_downs},
                                         {"openings", row.openings},
                                         {"share_ppm_sum", row.share_ppm_sum},
                                         {"limit_per_day", row.limit_per_day},
                                         {"stopped_until", row.stopped_until}}));
    }
    PATRA_TRY(session.Run(kForgetMinutes, {{"before", clock_.Now() - app::kRatesKept}}));
    return {};
  });
}

}  // namespace patra::infra::sql
