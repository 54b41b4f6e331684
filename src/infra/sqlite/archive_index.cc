#include "infra/sqlite/archive_index.h"

#include <fmt/format.h>

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kInsertRange = R"sql(
    INSERT INTO ing_archive_index (id, table_name, first_id, last_id, rows, location, sha256, created_at)
    VALUES (:id, :table_name, :first_id, :last_id, :rows, :location, :sha256, :now))sql";

// Ranges of one table do not overlap: the last one that begins at or before an id is the only one that can hold it.
constexpr std::string_view kLastBefore = R"sql(
    SELECT table_name, first_id, last_id, rows, location, sha256, created_at FROM ing_archive_index
    WHERE table_name = :table_name AND first_id <= :id ORDER BY first_id DESC LIMIT 1)sql";

constexpr std::string_view kRangesFrom = R"sql(
    SELECT table_name, first_id, last_id, rows, location, sha256, created_at FROM ing_archive_index
    WHERE table_name = :table_name AND first_id >= :from ORDER BY first_id LIMIT :max)sql";

Result<std::vector<app::ArchivedRows>> ReadRanges(Rows rows) {
  std::vector<app::ArchivedRows> ranges;
  while (PATRA_TRY(rows.Next())) {
    ranges.push_back({.table = rows.Text(0),
                      .first = rows.Integer(1),
                      .last = rows.Integer(2),
                      .rows = rows.Integer(3),
                      .location = rows.Text(4),
                      .sha256 = rows.Text(5),
                      .created_at = rows.Time(6)});
  }
  return ranges;
}

// The last range that begins at or before `id`, whether it holds it or not.
Result<std::optional<app::ArchivedRows>> LastBefore(Connection& connection,
                                                    const std::string& table, Id id) {
  auto found = PATRA_TRY(ReadRanges(PATRA_TRY(connection.Query(kLastBefore, table, id))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

}  // namespace

Result<void> ArchiveIndex::Add(const app::ArchivedRows& rows) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    const auto before = PATRA_TRY(LastBefore(connection, rows.table, rows.last));
    if (before && before->last >= rows.first) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("rows {} to {} of {} are archived in {} already", before->first,
                              before->last, rows.table, before->location));
    }
    PATRA_TRY(connection.Run(kInsertRange, ids_.Next(), rows.table, rows.first, rows.last,
                             rows.rows, rows.location, rows.sha256, clock_.Now()));
    return {};
  });
}

Result<std::optional<app::ArchivedRows>> ArchiveIndex::Find(const std::string& table, Id row) {
  return store_.Read([&](Connection& connection) -> Result<std::optional<app::ArchivedRows>> {
    auto range = PATRA_TRY(LastBefore(connection, table, row));
    if (range && range->last < row) return std::nullopt;
    return range;
  });
}

Result<std::vector<app::ArchivedRows>> ArchiveIndex::List(const std::string& table, Id from,
                                                          int max) {
  return store_.Read([&](Connection& connection) -> Result<std::vector<app::ArchivedRows>> {
    return ReadRanges(PATRA_TRY(connection.Query(kRangesFrom, table, from, max)));
  });
}

}  // namespace patra::infra::sqlite
