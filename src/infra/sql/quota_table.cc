#include "infra/sql/quota_table.h"

#include <algorithm>

namespace patra::infra::sql::quota_table {
namespace {

constexpr std::string_view kOpenWindow = R"sql(
    INSERT INTO ing_quota (rate_key, window_from, window_to, allowed, updated_at)
    VALUES (:rate_key, :window_from, :window_to, :allowed, :now)
    ON CONFLICT (rate_key, window_from)
    DO UPDATE SET allowed = min(allowed, excluded.allowed), updated_at = excluded.updated_at)sql";

constexpr std::string_view kLeft = R"sql(
    SELECT min(allowed) - sum(reserved) FROM ing_quota
    WHERE rate_key = :rate_key AND window_from < :window_to AND window_to > :window_from)sql";

// A new piece is asked for when the last one is used.
constexpr std::string_view kTake = R"sql(
    UPDATE ing_quota SET used = reserved, reserved = reserved + :piece, updated_at = :now
    WHERE rate_key = :rate_key AND window_from = :window_from)sql";

constexpr std::string_view kList = R"sql(
    SELECT rate_key, window_from, window_to, allowed, reserved FROM ing_quota
    WHERE window_to > :at ORDER BY rate_key, window_from LIMIT 10000)sql";

}  // namespace

Result<std::int64_t> Reserve(Session& session, const std::string& key, Instant from, Instant to,
                             std::int64_t allowed, std::int64_t keep, std::int64_t piece,
                             Instant now) {
  PATRA_TRY(session.Run(kOpenWindow, {{"rate_key", key},
                                      {"window_from", from},
                                      {"window_to", to},
                                      {"allowed", allowed},
                                      {"now", now}}));
  const auto left = PATRA_TRY(session.Integer(
                        kLeft, {{"rate_key", key}, {"window_to", to}, {"window_from", from}})) -
                    keep;
  const auto granted = std::clamp<std::int64_t>(left, 0, piece);
  if (granted > 0)
    PATRA_TRY(session.Run(
        kTake, {{"piece", granted}, {"now", now}, {"rate_key", key}, {"window_from", from}}));
  return granted;
}

Result<std::vector<app::QuotaWindow>> List(Session& session, Instant at) {
  auto rows = PATRA_TRY(session.Query(kList, {{"at", at}}));
  std::vector<app::QuotaWindow> windows;
  while (PATRA_TRY(rows.Next())) {
    windows.push_back({.key = rows.Text("rate_key"),
                       .from = rows.Time("window_from"),
                       .to = rows.Time("window_to"),
                       .allowed = rows.Integer("allowed"),
                       .reserved = rows.Integer("reserved")});
  }
  return windows;
}

}  // namespace patra::infra::sql::quota_table
