// What a changed definition would make of pages that were kept, field by field. Writes nothing.
#pragma once

#include <map>

#include "app/api/remapping.h"
#include "app/port/replay_store.h"
#include "app/remap/read_vault.h"

namespace patra::app {

class LookAnew {
 public:
  explicit LookAnew(ReplayStore& batches) : batches_(batches) {}

  Result<void> Note(const MappedPage& page);
  void Note(const LostPage& page);
  RemapLook Finish(bool is_whole) &&;

 private:
  Result<void> Note(const domain::Record& record, const domain::StoredItem* stored, Id batch);
  Result<void> NoteFields(const domain::Record& record, const domain::StoredItem& stored);

  ReplayStore& batches_;
  RemapLook look_;
  std::map<std::string, FieldChange> fields_;
};

}  // namespace patra::app
