// Fields that keep what is there when a new value is empty. A record with such fields is a fold over its
// versions: of each kept field the newest value that is not empty, of all others what the newest version says.
// Every kept value carries the version it came with, so that any order of arrivals folds to the same (I7).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"
#include "domain/item/overwrite.h"

namespace patra::domain {

struct FoldedFields {
  ItemVersion version;     // the newest; its hash is of what that version itself said
  Value::Object fields{};  // folded
  // Kept fields whose value is older than `version`; the others are as old as it.
  std::map<std::string, ItemVersion> since{};

  friend bool operator==(const FoldedFields&, const FoldedFields&) = default;
};

// A record's fields as they are stored or came; an error where that is no object.
Result<Value::Object> FieldsIn(std::string_view json);

// Absent, null, "", [] and {}.
bool IsEmpty(const Value* value);

// What is stored with what came. Commutative and associative; folding in the same version twice changes
// nothing. REQUIRES: `incoming` is one version as it came, with nothing in `since`
FoldedFields Fold(const FoldedFields& stored, const FoldedFields& incoming,
                  std::span<const std::string> kept);

// What a store has to remember beside the folded fields; nothing where nothing older is kept.
std::optional<Value> KeptValue(const FoldedFields& folded);
Result<void> ReadKept(const Value& value, FoldedFields& into);

}  // namespace patra::domain
