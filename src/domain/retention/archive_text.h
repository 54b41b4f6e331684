// What stands in a file of the archive, before it is compressed: a line that says what follows, then one line a row.
//
//   {"archive":1,"ids":["7","9"],"kind":"BATCHES","source":"crossref"}
//   {"id":"7","batch_no":1,…}
//   {"id":"9","batch_no":2,…}
//
// So a row is found without reading the others, and whoever has the file alone can read it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "domain/word/archived_kind.h"

namespace patra::domain {

struct ArchiveLine {
  Id id = 0;
  std::string row;  // a JSON object on one line
};

std::string ArchiveTextOf(ArchivedKind kind, std::string_view source,
                          std::span<const ArchiveLine> lines);

// A text that was read back; not copied, because lines point into it.
class ArchiveText {
 public:
  // An error where it is not what ArchiveTextOf makes.
  static Result<ArchiveText> Read(std::string text);
  ArchiveText(ArchiveText&&) = default;
  ArchiveText& operator=(ArchiveText&&) = default;

  const std::vector<Id>& ids() const { return ids_; }
  // The row of one of them; empty where it is none of them.
  std::string_view RowOf(Id id) const;

 private:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t length = 0;
  };

  ArchiveText(std::string text, std::vector<Id> ids, std::map<Id, Stretch> rows)
      : text_(std::move(text)), ids_(std::move(ids)), rows_(std::move(rows)) {}

  std::string text_;
  std::vector<Id> ids_;
  std::map<Id, Stretch> rows_;
};

// Where the file of such rows is put, below the folder of the archive. `file` makes it the only one of that name.
std::string ArchiveLocation(ArchivedKind kind, std::string_view source, Instant first_at, Id file);

}  // namespace patra::domain
