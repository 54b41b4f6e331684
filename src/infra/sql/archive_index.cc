#include "infra/sql/archive_index.h"

#include <fmt/format.h>

namespace patra::infra::sql {
namespace {

constexpr std::string_view kInsertRange = R"sql(
    INSERT INTO ing_archive_index (id, table_name, first_id, last_id, "rows", location, sha256, created_at)
    VALUES (:id, :table_name, :first_id, :last_id, :rows, :location, :sha256, :now))sql";

// Ranges of one table do not overlap: the last one that begins at or before an id is the only one that can hold it.
constexpr std::string_view kLastBefore = R"sql(
    SELECT table_name, first_id, last_id, "rows", location, sha256, created_at FROM ing_archive_index
    WHERE table_name = :table_name AND first_id <= :id ORDER BY first_id DESC LIMIT 1)sql";

constexpr std::string_view kRangesFrom = R"sql(
    SELECT table_name, first_id, last_id, "rows", location, sha256, created_at FROM ing_archive_index
    WHERE table_name = :table_name AND first_id >= :from ORDER BY first_id LIMIT :max)sql";

Result<std::vector<app::ArchivedRows>> ReadRanges(Rows rows) {
  std::vector<app::ArchivedRows> ranges;
  while (PATRA_TRY(rows.Next())) {
    ranges.push_back({.table = rows.Text("table_name"),
                      .first = rows.Integer("first_id"),
                      .last = rows.Integer("last_id"),
                      .rows = rows.Integer("rows"),
                      .location = rows.Text("location"),
                      .sha256 = rows.Text("sha256"),
                      .created_at = rows.Time("created_at")});
  }
  return ranges;
}

// The last range that begins at or before `id`, whether it holds it or not.
Result<std::optional<app::ArchivedRows>> LastBefore(Session& session, const std::string& table,
                                                    Id id) {
  auto found = PATRA_TRY(
      ReadRanges(PATRA_TRY(session.Query(kLastBefore, {{"table_name", table}, {"id", id}}))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

}  // namespace

Result<void> ArchiveIndex::Add(const app::ArchivedRows& rows) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto before = PATRA_TRY(LastBefore(session, rows.table, rows.last));
    if (before && before->last >= rows.first) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("rows {} to {} of {} are archived in {} already", before->first,
                              before->last, rows.table, before->location));
    }
    PATRA_TRY(session.Run(kInsertRange, {{"id", ids_.Next()},
                                         {"table_name", rows.table},
                                         {"first_id", rows.first},
                                         {"last_id", rows.last},
                                         {"rows", rows.rows},
                                         {"location", rows.location},
                                         {"sha256", rows.sha256},
                                         {"now", clock_.Now()}}));
    return {};
  });
}

Result<std::optional<app::ArchivedRows>> ArchiveIndex::Find(const std::string& table, Id row) {
  return database_.Read([&](Session& session) -> Result<std::optional<app::ArchivedRows>> {
    auto range = PATRA_TRY(LastBefore(session, table, row));
    if (range && range->last < row) return std::nullopt;
    return range;
  });
}

Result<std::vector<app::ArchivedRows>> ArchiveIndex::List(const std::string& table, Id from,
                                                          int max) {
  return database_.Read([&](Session& session) -> Result<std::vector<app::ArchivedRows>> {
    return ReadRanges(PATRA_TRY(
        session.Query(kRangesFrom, {{"table_name", table}, {"from", from}, {"max", max}})));
  });
}

}  // namespace patra::infra::sql
