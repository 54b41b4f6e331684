// How a record that came again compares with the one that is stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/item/record.h"
#include "domain/item/stored_item.h"

namespace patra::domain {

struct RecordDiff {
  enum class Kind {
    kSame,
    kNew,      // nothing is stored under its id
    kChanged,  // other content, and not older than what is stored
    kOlder,    // other content, of an older version than what is stored
  };
  Kind kind = Kind::kSame;
  bool is_newer = false;              // its provider says that it was updated since
  std::vector<std::string> fields{};  // that differ, by name

  bool differs() const { return kind != Kind::kSame; }
};

// `stored` is null where there is none. A field that keeps what is stored when it comes empty does not differ by
// coming empty. An error where the stored fields are no object.
Result<RecordDiff> Compare(const StoredItem* stored, const Record& record);

}  // namespace patra::domain
