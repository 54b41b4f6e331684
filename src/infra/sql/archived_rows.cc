#include "infra/sql/archived_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/zstd_frame.h"
#include "infra/sql/raw_page_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::int64_t kFileBytesMax = std::int64_t{4} << 30;
// What is kept at hand: whoever shows one batch of a file shows others of it next.
constexpr std::size_t kFilesKept = 3;
constexpr std::size_t kTextKeptMax = std::size_t{64} << 20;
constexpr int kFilesLookedAt = 24;

std::unexpected<Error> NotAtHand(const app::ArchiveFile& file, const std::string& folder,
                                 const Error& why) {
  return Fail(
      why.code,
      fmt::format("rows of {} that are asked for are archived in {}, which cannot be read: {}",
                  file.source, file.location, why.message),
      {},
      folder.empty() ? "name the folder of the archive: retention.archive_dir"
                     : fmt::format("put it back into {}, or name the folder that it is in by "
                                   "retention.archive_dir",
                                   folder));
}

std::vector<std::string> TextsOf(const Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr || list->AsArray() == nullptr) return texts;
  for (const auto& item : *list->AsArray()) {
    if (const auto* text = item.AsString()) texts.push_back(*text);
  }
  return texts;
}

}  // namespace

Result<const StoredTable*> ArchivedTables::Find(Session& session, app::ArchivedKind kind) {
  using enum app::ArchivedKind;
  const std::lock_guard lock(mutex_);
  if (tables_.empty()) {
    const auto all = PATRA_TRY(StoredTablesOf(session));
    std::vector<StoredTable> found;
    for (const auto wanted : {kRawPages, kBatches, kCursorEvents}) {
      const auto table = std::ranges::find(all, archive_table::TableOf(wanted), &StoredTable::name);
      if (table == all.end()) {
        return Fail(ErrorCode::kCorruption,
                    fmt::format("the store has no table {}", archive_table::TableOf(wanted)));
      }
      found.push_back(*table);
    }
    tables_ = std::move(found);
  }
  return &tables_[static_cast<std::size_t>(kind)];
}

Result<std::shared_ptr<const ArchivedRows::Loaded>> ArchivedRows::Load(
    const app::ArchiveFile& file) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(loaded_, file.id, &Loaded::file);
  if (known != loaded_.end()) {
    std::rotate(loaded_.begin(), known, known + 1);
    return loaded_.front();
  }
  const auto bytes = files_.Read(file.location, kFileBytesMax);
  if (!bytes) return NotAtHand(file, files_.folder(), bytes.error());
  if (Sha256Hex(*bytes) != file.sha256)
    return NotAtHand(file, files_.folder(),
                     {ErrorCode::kCorruption, "it is not what was written there"});
  auto text = PATRA_TRY(Decompress(*bytes, static_cast<std::size_t>(kFileBytesMax)));
  const bool is_kept = text.size() <= kTextKeptMax;
  auto loaded = std::make_shared<const Loaded>(
      Loaded{.file = file.id, .text = PATRA_TRY(domain::ArchiveText::Read(std::move(text)))});
  if (is_kept) {
    loaded_.insert(loaded_.begin(), loaded);
    if (loaded_.size() > kFilesKept) loaded_.pop_back();
  }
  return loaded;
}

Result<ArchivedRows::Line> ArchivedRows::LineIn(Session& session, Id file, Id row) {
  const auto found = PATRA_TRY(archive_table::Find(session, file));
  if (!found) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("file {} of the archive is not in its index", file));
  }
  const auto loaded = PATRA_TRY(Load(*found));
  const auto line = loaded->text.RowOf(row);
  if (line.empty()) {
    return NotAtHand(*found, files_.folder(),
                     {ErrorCode::kCorruption, fmt::format("{} is not among its rows", row)});
  }
  return Line{loaded, line};
}

Result<std::unique_ptr<OneRow>> ArchivedRows::RowIn(Session& session, Id file,
                                                    app::ArchivedKind kind, Id row) {
  const auto line = PATRA_TRY(LineIn(session, file, row));
  const auto* table = PATRA_TRY(tables_.Find(session, kind));
  return std::make_unique<OneRow>(*table, PATRA_TRY(RowFromJson(*table, line.text)));
}

Result<std::optional<ArchivedRows::Ids>> ArchivedRows::IdsOf(Session& session, Id batch) {
  const auto note = PATRA_TRY(archive_table::FindBatch(session, batch));
  if (!note || note->file == 0) return std::nullopt;
  const auto line = PATRA_TRY(LineIn(session, note->file, batch));
  const auto row = PATRA_TRY(ParseJson(line.text));
  return Ids{.found = TextsOf(row.Find(kFoundIds)), .answered = TextsOf(row.Find(kAnsweredIds))};
}

Result<std::unique_ptr<OneRow>> ArchivedRows::Batch(Session& session, Id batch) {
  const auto note = PATRA_TRY(archive_table::FindBatch(session, batch));
  if (!note || note->file == 0) return std::unique_ptr<OneRow>();
  return RowIn(session, note->file, app::ArchivedKind::kBatches, batch);
}

Result<std::optional<app::RawPage>> ArchivedRows::Page(Session& session, Id batch) {
  const auto note = PATRA_TRY(archive_table::FindBatch(session, batch));
  if (!note) return std::nullopt;
  if (note->page_gone_at) {
    return Fail(
        ErrorCode::kNotFound,
        fmt::format("the raw page of batch {} was deleted at {}, because the vault was full", batch,
                    FormatRfc3339(*note->page_gone_at)),
        {}, "retention.vault_max bounds it; retention.vault_drops: false archives pages");
  }
  if (note->page_file == 0) return std::nullopt;
  const auto row = PATRA_TRY(RowIn(session, note->page_file, app::ArchivedKind::kRawPages, batch));
  Rows rows(*row);
  PATRA_TRY(rows.Next());
  return PATRA_TRY(raw_page_table::PageIn(rows, batch));
}

Result<void> ArchivedRows::Each(Session& session, app::ArchivedKind kind, const std::string& source,
                                Instant from, Instant to, const OnRow& on_row) {
  for (const auto& file :
       PATRA_TRY(archive_table::Between(session, kind, source, from, to, kFilesLookedAt))) {
    const auto loaded = PATRA_TRY(Load(file));
    const auto* table = PATRA_TRY(tables_.Find(session, kind));
    for (const auto id : loaded->text.ids()) {
      OneRow row(*table, PATRA_TRY(RowFromJson(*table, loaded->text.RowOf(id))));
      Rows rows(row);
      PATRA_TRY(rows.Next());
      if (!PATRA_TRY(on_row(rows))) return {};
    }
  }
  return {};
}

}  // namespace patra::infra::sql
