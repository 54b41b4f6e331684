#include "domain/retention/archive_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/value.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kArchiveVersion = 1;

std::unexpected<Error> BrokenArchive(std::string_view what) {
  return Fail(ErrorCode::kCorruption, fmt::format("a file of the archive is broken: {}", what));
}

// Names of sources are words; whatever else one may be called by is no part of a path.
std::string ArchiveFolderOf(std::string_view source) {
  std::string folder(source);
  std::ranges::replace_if(
      folder, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
  return folder.empty() ? "_" : folder;
}

}  // namespace

std::string ArchiveTextOf(ArchivedKind kind, std::string_view source,
                          std::span<const ArchiveLine> lines) {
  Value::Array ids;
  std::size_t size = 0;
  for (const auto& line : lines) {
    ids.emplace_back(fmt::to_string(line.id));
    size += line.row.size() + 1;
  }
  auto text = PrintJson(Value::Object{{"archive", kArchiveVersion},
                                      {"ids", std::move(ids)},
                                      {"kind", CodeOf(kind)},
                                      {"source", source}});
  text.reserve(text.size() + 1 + size);
  text += '\n';
  for (const auto& line : lines) {
    text += line.row;
    text += '\n';
  }
  return text;
}

Result<ArchiveText> ArchiveText::Read(std::string text) {
  auto end = text.find('\n');
  if (end == std::string::npos) return BrokenArchive("it has no first line");
  const auto head = ParseJson(std::string_view(text).substr(0, end));
  const auto* version = head ? head->Find("archive") : nullptr;
  const auto* named = head ? head->Find("ids") : nullptr;
  if (version == nullptr || *version != Value(kArchiveVersion) || named == nullptr ||
      named->AsArray() == nullptr)
    return BrokenArchive("its first line does not say what follows");
  std::vector<Id> ids;
  std::map<Id, Stretch> rows;
  for (const auto& name : *named->AsArray()) {
    const auto begin = end + 1;
    end = text.find('\n', begin);
    if (end == std::string::npos)
      return BrokenArchive(
          fmt::format("it has {} of the {} rows", ids.size(), named->AsArray()->size()));
    const auto* word = name.AsString();
    const auto id =
        word == nullptr ? Result<Id>(BrokenArchive("an id is no text")) : ParseId(*word);
    if (!id) return BrokenArchive("its first line has an id that is none");
    ids.push_back(*id);
    rows[*id] = {begin, end - begin};
  }
  if (end + 1 != text.size()) return BrokenArchive("it goes on behind its last row");
  if (rows.size() != ids.size()) return BrokenArchive("it has a row twice");
  return ArchiveText(std::move(text), std::move(ids), std::move(rows));
}

std::string_view ArchiveText::RowOf(Id id) const {
  const auto found = rows_.find(id);
  if (found == rows_.end()) return {};
  return std::string_view(text_).substr(found->second.begin, found->second.length);
}

std::string ArchiveLocation(ArchivedKind kind, std::string_view source, Instant first_at, Id file) {
  return fmt::format("{}/{}-{}-{}.jsonl.zst", ArchiveFolderOf(source), LowerCode(CodeOf(kind)),
                     FormatRfc3339(first_at).substr(0, 10), file);
}

}  // namespace patra::domain
