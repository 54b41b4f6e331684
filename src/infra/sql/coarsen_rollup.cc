#include "infra/sql/coarsen_rollup.h"

#include <algorithm>
#include <map>

#include "infra/sql/stored_table.h"

namespace patra::infra::sql::coarsen_rollup {
namespace {

constexpr std::string_view kTable = "ing_batch_rollup";

constexpr std::string_view kNextFiner = R"sql(
    SELECT minute FROM ing_batch_rollup
    WHERE minute >= :from AND minute < :before AND span_minutes < :span_minutes ORDER BY minute LIMIT 1)sql";

constexpr std::string_view kDeleteBetween =
    "DELETE FROM ing_batch_rollup WHERE minute >= :from AND minute < :to";

constexpr std::string_view kCountOld = R"sql(
    SELECT count(*) FROM (SELECT 1 AS one FROM ing_batch_rollup WHERE minute < :before
                          LIMIT :counted_at_most) AS counted)sql";

// The last of the oldest ones.
constexpr std::string_view kOldest = R"sql(
    SELECT minute FROM ing_batch_rollup WHERE minute < :before ORDER BY minute LIMIT :rows_max)sql";

// All columns, also those that are younger than this file.
Result<StoredTable> RollupTable(Session& session) {
  for (auto& table : PATRA_TRY(StoredTablesOf(session))) {
    if (table.name == kTable) return std::move(table);
  }
  return Fail(ErrorCode::kCorruption, "the store has no table of sums");
}

struct Columns {
  std::size_t minute = 0;
  std::size_t span = 0;
  std::size_t last_at = 0;
};

Result<Columns> ColumnsIn(const StoredTable& table) {
  const auto place = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name, &StoredColumn::name) -
                                    table.columns.begin());
  };
  const Columns columns{place("minute"), place("span_minutes"), place("last_at")};
  if (std::max({columns.minute, columns.span, columns.last_at}) >= table.columns.size())
    return Fail(ErrorCode::kCorruption, "the table of sums lacks columns");
  return columns;
}

// Numbers are added, but of moments the later one counts.
void AddTo(StoredRow& sum, const StoredRow& row, const StoredTable& table, const Columns& columns) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::ranges::find(table.key, i) != table.key.end() || i == columns.span || row[i].is_null)
      continue;
    if (sum[i].is_null) {
      sum[i] = row[i];
    } else if (i == columns.last_at) {
      sum[i].integer = std::max(sum[i].integer, row[i].integer);
    } else {
      sum[i].integer += row[i].integer;
      sum[i].real += row[i].real;
    }
  }
}

std::string LaneOf(const StoredRow& row, const StoredTable& table, const Columns& columns) {
  std::string lane;
  for (const auto at : table.key) {
    if (at != columns.minute) AppendValue(lane, table.columns[at].kind, row[at]);
  }
  return lane;
}

}  // namespace

Result<app::CoarsenedStep> Coarsen(Session& session, Duration width, Instant before, Instant from) {
  const auto span = width / std::chrono::minutes(1);
  Instant begin;
  {
    auto rows = PATRA_TRY(
        session.Query(kNextFiner, {{"from", from}, {"before", before}, {"span_minutes", span}}));
    if (!PATRA_TRY(rows.Next())) return app::CoarsenedStep{};
    begin = rows.Time(kOnly);
  }
  begin = Instant(begin.time_since_epoch() - begin.time_since_epoch() % width);
  const auto end = begin + width;
  if (end > before) return app::CoarsenedStep{};

  const auto table = PATRA_TRY(RollupTable(session));
  const auto columns = PATRA_TRY(ColumnsIn(table));
  std::map<std::string, StoredRow> sums;  // by lane and status
  std::int64_t met = 0;
  {
    const auto sql =
        "SELECT " + ColumnList(table) +
        " FROM ing_batch_rollup WHERE minute >= :from AND minute < :to ORDER BY minute";
    auto rows = PATRA_TRY(session.Query(sql, {{"from", begin}, {"to", end}}));
    while (PATRA_TRY(rows.Next())) {
      ++met;
      auto row = ReadStoredRow(table, rows);
      const auto [sum, is_first] = sums.try_emplace(LaneOf(row, table, columns), row);
      if (!is_first) AddTo(sum->second, row, table, columns);
    }
  }
  std::vector<StoredRow> coarse;
  for (auto& [lane, sum] : sums) {
    sum[columns.minute].integer = begin.time_since_epoch().count();
    sum[columns.span].integer = span;
    coarse.push_back(std::move(sum));
  }
  PATRA_TRY(session.Run(kDeleteBetween, {{"from", begin}, {"to", end}}));
  PATRA_TRY(TableAccess(table, session.dialect()).Insert(session, coarse));
  return app::CoarsenedStep{.rows = met - std::ssize(coarse), .next = end};
}

Result<std::int64_t> CountOld(Session& session, Instant before, std::int64_t counted_at_most) {
  return session.Integer(kCountOld, {{"before", before}, {"counted_at_most", counted_at_most}});
}

Result<app::OldStep> DeleteOld(Session& session, Instant before, int rows_max) {
  std::optional<Instant> last;
  int met = 0;
  {
    auto rows = PATRA_TRY(session.Query(kOldest, {{"before", before}, {"rows_max", rows_max}}));
    for (; PATRA_TRY(rows.Next()); ++met) last = rows.Time(kOnly);
  }
  app::OldStep step;
  if (!last) return step;
  step.rows =
      PATRA_TRY(session.Run(kDeleteBetween, {{"from", kInstantMin}, {"to", *last + Duration(1)}}));
  if (met == rows_max) step.next = 0;
  return step;
}

}  // namespace patra::infra::sql::coarsen_rollup
