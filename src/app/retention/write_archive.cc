#include "app/retention/write_archive.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/zstd_frame.h"

namespace patra::app {
namespace {

constexpr std::int64_t kArchiveBytesMax = std::int64_t{4} << 30;
constexpr Duration kRestMost = std::chrono::seconds(1);

std::unexpected<Error> NotAsWritten(const ArchiveFile& file, std::string_view why) {
  return Fail(ErrorCode::kCorruption,
              fmt::format("{} was read back, and is not what was written: {}", file.location, why),
              {}, "look at that disk; nothing was deleted");
}

// Whether the file will never be there again by itself.
bool IsGone(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kCorruption;
}

}  // namespace

void ArchiveGroup::Add(const ArchiveCandidate& candidate) {
  if (ids.empty()) first_at = last_at = candidate.at;
  ids.push_back(candidate.id);
  bytes += candidate.bytes;
  first_at = std::min(first_at, candidate.at);
  last_at = std::max(last_at, candidate.at);
}

Result<ArchiveFile> WriteArchive::Write(ArchivedKind kind, const std::string& source,
                                        const ArchiveGroup& group) {
  PATRA_TRY(turn_.Keep());
  ArchiveFile file{.id = ports_.ids.Next(),
                   .kind = kind,
                   .source = source,
                   .first_at = group.first_at,
                   .last_at = group.last_at};
  file.location = domain::ArchiveLocation(kind, source, group.first_at, file.id);
  PATRA_TRY(ports_.store.Announce(file));
  const auto lines = PATRA_TRY(ports_.store.Lines(kind, group.ids));
  if (lines.empty()) {
    PATRA_TRY(ports_.store.Withdraw(file.id));
    return file;
  }
  file.rows = std::ssize(lines);
  file.first = lines.front().id;
  file.last = lines.back().id;
  {
    const auto frame = Compress(domain::ArchiveTextOf(kind, source, lines));
    file.bytes = std::ssize(frame);
    file.sha256 = Sha256Hex(frame);
    PATRA_TRY(ports_.files.Write(file.location, frame));
  }
  const auto text = PATRA_TRY(ReadBack(file));
  if (!std::ranges::equal(text.ids(), lines, {}, {}, &domain::ArchiveLine::id))
    return NotAsWritten(file, "it has other rows");
  PATRA_TRY(ports_.store.Confirm(file));
  file.state = ArchiveState::kWritten;
  PATRA_TRY(RemoveRows(file, text));
  if (ports_.stop.asked()) return file;
  PATRA_TRY(ports_.store.Conclude(file.id, ArchiveState::kDone));
  file.state = ArchiveState::kDone;
  return file;
}

Result<domain::ArchiveText> WriteArchive::ReadBack(const ArchiveFile& file) {
  const auto bytes = PATRA_TRY(ports_.files.Read(file.location, kArchiveBytesMax));
  if (Sha256Hex(bytes) != file.sha256) return NotAsWritten(file, "its checksum is another");
  auto text = PATRA_TRY(domain::ArchiveText::Read(
      PATRA_TRY(Decompress(bytes, static_cast<std::size_t>(kArchiveBytesMax)))));
  if (std::ssize(text.ids()) != file.rows) {
    return NotAsWritten(file,
                        fmt::format("it has {} rows instead of {}", text.ids().size(), file.rows));
  }
  return text;
}

Result<void> WriteArchive::InPieces(std::span<const Id> ids,
                                    const std::function<std::int64_t(Id)>& bytes_of,
                                    const std::function<Result<void>(std::span<const Id>)>& each) {
  for (std::size_t begin = 0; begin < ids.size() && !ports_.stop.asked();) {
    auto end = begin;
    std::int64_t bytes = 0;
    while (end < ids.size() && static_cast<std::int64_t>(end - begin) < rules_.removed_rows_max) {
      bytes += bytes_of(ids[end]);
      if (end > begin && bytes > rules_.removed_bytes_max) break;
      ++end;
    }
    PATRA_TRY(turn_.Keep());
    const auto began_at = ports_.clock.Elapsed();
    PATRA_TRY(each(ids.subspan(begin, end - begin)));
    ports_.clock.SleepFor(std::min<Duration>(ports_.clock.Elapsed() - began_at, kRestMost));
    begin = end;
  }
  return {};
}

Result<void> WriteArchive::RemoveRows(const ArchiveFile& file, const domain::ArchiveText& text) {
  return InPieces(
      text.ids(), [&](Id id) { return std::ssize(text.RowOf(id)); },
      [&](std::span<const Id> piece) -> Result<void> {
        PATRA_TRY(ports_.store.Remove(file, piece));
        return {};
      });
}

Result<WriteArchive::Finished> WriteArchive::FinishWhatWasBegun() {
  Finished finished;
  for (const auto& file : PATRA_TRY(ports_.store.Unfinished())) {
    if (ports_.stop.asked()) break;
    PATRA_TRY(turn_.Keep());
    if (file.state == ArchiveState::kWriting) {
      PATRA_TRY(ports_.files.Remove(file.location));
      PATRA_TRY(ports_.store.Withdraw(file.id));
      continue;
    }
    const auto text = ReadBack(file);
    if (!text && !IsGone(text.error())) return std::unexpected(text.error());
    if (!text) {
      // The rows that are left in the store go into another file.
      ports_.log.Write(LogLevel::kError, "archive.lost", {},
                       {{"file", file.location}, {"reason", text.error().Describe()}});
      finished.lost.push_back(file.location);
      PATRA_TRY(ports_.store.Conclude(file.id, ArchiveState::kLost));
      continue;
    }
    PATRA_TRY(RemoveRows(file, *text));
    if (ports_.stop.asked()) break;
    PATRA_TRY(ports_.store.Conclude(file.id, ArchiveState::kDone));
    ++finished.files;
  }
  return finished;
}

}  // namespace patra::app
