#include "infra/sqlite/queue_day_table.h"

#include <algorithm>
#include <cmath>

namespace patra::infra::sqlite::queue_day_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_queue_day (partition_key, day, samples, total, squares)
    VALUES (:partition_key, :day, 1, :queued, :square)
    ON CONFLICT (partition_key, day)
    DO UPDATE SET samples = samples + 1, total = total + excluded.total,
        squares = squares + excluded.squares)sql";

constexpr std::string_view kBetween = R"sql(
    SELECT samples, total, squares FROM ing_queue_day
    WHERE partition_key = :partition_key AND day >= :day_from AND day < :day_to LIMIT 400)sql";

constexpr std::string_view kForget =
    "DELETE FROM ing_queue_day WHERE partition_key = :partition_key AND day < :day";

}  // namespace

Result<void> Add(Connection& connection, const std::string& partition_key, Instant day,
                 std::int64_t queued) {
  PATRA_TRY(connection.Run(kAdd, partition_key, day, queued, queued * queued));
  return {};
}

Result<std::optional<Usual>> Between(Connection& connection, const std::string& partition_key,
                                     Instant from, Instant to) {
  std::int64_t samples = 0;
  std::int64_t total = 0;
  std::int64_t squares = 0;
  auto rows = PATRA_TRY(connection.Query(kBetween, partition_key, from, to));
  while (PATRA_TRY(rows.Next())) {
    samples += rows.Integer(0);
    total += rows.Integer(1);
    squares += rows.Integer(2);
  }
  if (samples == 0) return std::nullopt;
  const auto count = static_cast<double>(samples);
  const auto mean = static_cast<double>(total) / count;
  return Usual{
      .mean = mean,
      .deviation = std::sqrt(std::max(static_cast<double>(squares) / count - mean * mean, 0.0))};
}

Result<void> ForgetBefore(Connection& connection, const std::string& partition_key, Instant day) {
  PATRA_TRY(connection.Run(kForget, partition_key, day));
  return {};
}

}  // namespace patra::infra::sqlite::queue_day_table
