#include "infra/sql/queue_day_table.h"

#include <algorithm>
#include <cmath>

namespace patra::infra::sql::queue_day_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_queue_day (lane_key, day, samples, total, squares)
    VALUES (:lane_key, :day, 1, :queued, :square)
    ON CONFLICT (lane_key, day)
    DO UPDATE SET samples = samples + 1, total = total + excluded.total,
        squares = squares + excluded.squares)sql";

constexpr std::string_view kBetween = R"sql(
    SELECT samples, total, squares FROM ing_queue_day
    WHERE lane_key = :lane_key AND day >= :day_from AND day < :day_to LIMIT 400)sql";

constexpr std::string_view kForget =
    "DELETE FROM ing_queue_day WHERE lane_key = :lane_key AND day < :day";

}  // namespace

Result<void> Add(Session& session, const std::string& lane_key, Instant day, std::int64_t queued) {
  PATRA_TRY(session.Run(
      kAdd,
      {{"lane_key", lane_key}, {"day", day}, {"queued", queued}, {"square", queued * queued}}));
  return {};
}

Result<std::optional<Usual>> Between(Session& session, const std::string& lane_key, Instant from,
                                     Instant to) {
  std::int64_t samples = 0;
  std::int64_t total = 0;
  std::int64_t squares = 0;
  auto rows = PATRA_TRY(
      session.Query(kBetween, {{"lane_key", lane_key}, {"day_from", from}, {"day_to", to}}));
  while (PATRA_TRY(rows.Next())) {
    samples += rows.Integer("samples");
    total += rows.Integer("total");
    squares += rows.Integer("squares");
  }
  if (samples == 0) return std::nullopt;
  const auto count = static_cast<double>(samples);
  const auto mean = static_cast<double>(total) / count;
  return Usual{
      .mean = mean,
      .deviation = std::sqrt(std::max(static_cast<double>(squares) / count - mean * mean, 0.0))};
}

Result<void> ForgetBefore(Session& session, const std::string& lane_key, Instant day) {
  PATRA_TRY(session.Run(kForget, {{"lane_key", lane_key}, {"day", day}}));
  return {};
}

}  // namespace patra::infra::sql::queue_day_table
