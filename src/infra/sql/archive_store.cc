#include "infra/sql/archive_store.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "infra/sql/archivable_rows.h"
#include "infra/sql/archive_table.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/row_json.h"

namespace patra::infra::sql {
namespace {

using app::ArchivedKind;

constexpr int kIdsOfSliceMax = 1'000'000;

// Nobody waits for more than so many at a time, however large the vault is.
constexpr int kPagesCountedAtOnce = 10'000;
constexpr std::string_view kPageSizes = R"sql(
    SELECT fetched_at, batch_id, stored_bytes FROM ing_raw_page INDEXED BY idx_raw_page_bytes
    WHERE fetched_at >= :after_at AND (fetched_at > :after_at OR batch_id > :after_id)
    ORDER BY fetched_at, batch_id LIMIT :pages_max)sql";

// What a row of the table is called by.
std::string_view KeyOf(ArchivedKind kind) {
  return kind == ArchivedKind::kRawPages ? "batch_id" : "id";
}

std::string_view DeleteIn(ArchivedKind kind) {
  static const auto kPages = WithList("DELETE FROM ing_raw_page WHERE batch_id IN");
  static const auto kOfBatches = WithList("DELETE FROM ing_task_run_batch WHERE id IN");
  static const auto kEvents = WithList("DELETE FROM ing_cursor_event WHERE id IN");
  switch (kind) {
    case ArchivedKind::kRawPages:
      return kPages;
    case ArchivedKind::kBatches:
      return kOfBatches;
    case ArchivedKind::kCursorEvents:
      break;
  }
  return kEvents;
}

std::string_view SlicesIn() {
  static const auto kSql =
      WithList("SELECT slice_id FROM ing_task_run_batch NOT INDEXED WHERE id IN");
  return kSql;
}

// What batches of two phases dealt with goes along with them: a replay of one asks for the same ids.
Result<std::map<Id, Value::Object>> IdsOfBatches(Session& session, std::span<const Id> batches) {
  std::set<Id> slices;
  PATRA_TRY(session.QueryIn(SlicesIn(), ListOf(batches), {}, [&](const Rows& rows) -> Result<void> {
    slices.insert(rows.Integer(kOnly));
    return {};
  }));
  std::map<Id, Value::Object> by_batch;
  const auto add = [&](Id batch, const char* member, const std::string& id) {
    auto& ids = by_batch[batch][member];
    if (ids.is_null()) ids = Value::Array{};
    ids.AsArray()->emplace_back(id);
  };
  for (const auto slice : slices) {
    for (const auto& one :
         PATRA_TRY(enumerated_id_table::OfSlice(session, slice, kIdsOfSliceMax))) {
      add(one.found_by, kFoundIds, one.id);
      if (one.answered_by) add(*one.answered_by, kAnsweredIds, one.id);
    }
  }
  return by_batch;
}

Result<void> NoteWhereTheyAre(Session& session, const app::ArchiveFile& file,
                              std::span<const Id> ids) {
  switch (file.kind) {
    case ArchivedKind::kRawPages:
      return archive_table::NotePages(session, ids, file.id);
    case ArchivedKind::kBatches:
      return archive_table::NoteBatches(session, ids, file.id);
    case ArchivedKind::kCursorEvents:
      break;  // they are looked for by their time
  }
  return {};
}

}  // namespace

const std::string& ArchiveStore::SelectIn(ArchivedKind kind, const StoredTable& table) {
  const std::lock_guard lock(mutex_);
  auto& select = select_[static_cast<std::size_t>(kind)];
  if (select.empty())
    select = WithList(fmt::format("SELECT {} FROM {} NOT INDEXED WHERE {} IN", ColumnList(table),
                                  table.name, KeyOf(kind)));
  return select;
}

Result<app::ArchiveLook> ArchiveStore::Look(ArchivedKind kind, Instant before,
                                            const app::ArchivePlace& after, int rows_max) {
  return database_.Read(
      [&](Session& session) { return LookForOldRows(session, kind, before, after, rows_max); });
}

Result<std::vector<domain::ArchiveLine>> ArchiveStore::Lines(ArchivedKind kind,
                                                             std::span<const Id> ids) {
  using Lines = std::vector<domain::ArchiveLine>;
  return database_.Read([&](Session& session) -> Result<Lines> {
    const auto* table = PATRA_TRY(tables_.Find(session, kind));
    const auto of_batches = kind == ArchivedKind::kBatches ? PATRA_TRY(IdsOfBatches(session, ids))
                                                           : std::map<Id, Value::Object>{};
    Lines lines;
    PATRA_TRY(session.QueryIn(
        SelectIn(kind, *table), ListOf(ids), {}, [&](const Rows& rows) -> Result<void> {
          const auto id = rows.Integer(KeyOf(kind));
          const auto beside = of_batches.find(id);
          lines.push_back(
              {.id = id,
               .row = RowToJson(*table, ReadStoredRow(*table, rows),
                                beside == of_batches.end() ? Value::Object{} : beside->second)});
          return {};
        }));
    std::ranges::sort(lines, {}, &domain::ArchiveLine::id);
    return lines;
  });
}

Result<void> ArchiveStore::Announce(const app::ArchiveFile& file) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return archive_table::Insert(session, file, clock_.Now());
  });
}

Result<void> ArchiveStore::Confirm(const app::ArchiveFile& file) {
  return database_.Write(LockScope::RowsAlone(),
                         [&](Session& session) { return archive_table::Confirm(session, file); });
}

// What is deleted is over, so that nobody decides about it; whoever works on waits for these few rows at most.
Result<std::int64_t> ArchiveStore::Remove(const app::ArchiveFile& file, std::span<const Id> ids) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<std::int64_t> {
    const auto going = PATRA_TRY(StillMayGo(session, file.kind, ids));
    if (going.empty()) return 0;
    PATRA_TRY(NoteWhereTheyAre(session, file, going));
    return session.RunIn(DeleteIn(file.kind), ListOf(going), {});
  });
}

Result<void> ArchiveStore::Conclude(Id file, app::ArchiveState state) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return archive_table::SetState(session, file, state);
  });
}

Result<void> ArchiveStore::Withdraw(Id file) {
  return database_.Write(LockScope::RowsAlone(),
                         [&](Session& session) { return archive_table::Delete(session, file); });
}

Result<std::vector<app::ArchiveFile>> ArchiveStore::Unfinished() {
  return database_.Read([](Session& session) { return archive_table::Unfinished(session); });
}

Result<std::vector<app::ArchiveFile>> ArchiveStore::List(Id after, int files_max) {
  return database_.Read(
      [&](Session& session) { return archive_table::List(session, after, files_max); });
}

Result<app::VaultSize> ArchiveStore::Vault() {
  app::VaultSize size;
  app::ArchivePlace place;
  for (bool has_more = true; has_more;) {
    const auto before = size.pages;
    PATRA_TRY(database_.Read([&, counted = size, at = place](Session& session) -> Result<void> {
      size = counted;
      place = at;
      auto rows = PATRA_TRY(session.Query(
          kPageSizes,
          {{"after_at", at.at}, {"after_id", at.id}, {"pages_max", kPagesCountedAtOnce}}));
      while (PATRA_TRY(rows.Next())) {
        ++size.pages;
        size.bytes += rows.Integer("stored_bytes");
        place = {rows.Time("fetched_at"), rows.Integer("batch_id")};
      }
      return {};
    }));
    has_more = size.pages - before == kPagesCountedAtOnce;
  }
  return size;
}

Result<std::int64_t> ArchiveStore::DropPages(std::span<const Id> batches) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<std::int64_t> {
    const auto going = PATRA_TRY(StillMayGo(session, ArchivedKind::kRawPages, batches));
    if (going.empty()) return 0;
    PATRA_TRY(archive_table::NoteGonePages(session, going, clock_.Now()));
    return session.RunIn(DeleteIn(ArchivedKind::kRawPages), ListOf(going), {});
  });
}

}  // namespace patra::infra::sql
