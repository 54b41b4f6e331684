// Taking records in (I7): what becomes of each record of a page, given what is stored under their ids. It decides for
// everything that brings records: a batch, a replay, an approval. Pure: a store reads what is there, asks, and writes what
// the answer says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/id.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/item/stored_item.h"

namespace patra::domain {

using StoredItems = std::unordered_map<std::string, StoredItem>;  // by id

// One change of the table of records.
struct ItemWrite {
  enum class Kind {
    kInsert,
    kReplace,
    kFillIn,   // an older version filled what a newer one had left empty
    kConfirm,  // an update found the record as it is stored
  };
  // Fields that are not those of `record` alone.
  struct Folded {
    std::string fields;
    Sha256Digest content_hash;
    std::optional<std::string> kept;
  };

  Kind kind;
  Id row;                // 0: a new one
  const Record* record;  // whose version the row has then
  std::optional<Folded> folded{};
};

// A record of which a version was stored that came not so long ago, and of that one.
struct MetVersion {
  const Record* record;
  Id batch;
  Instant updated_at;
};

// What was decided about one record, and over which version.
struct DecisionSample {
  const Record* record;
  Overwrite outcome;
  std::optional<ItemVersion> over{};  // none: nothing was stored
};
inline constexpr std::size_t kDecisionSamplesMax = 3;

// Views and pointers into the records that were taken in.
struct Intake {
  std::vector<ItemWrite> writes;        // at most one for each id
  std::vector<Overwrite> outcomes;      // of each record
  std::vector<DecisionSample> samples;  // of the first few
  std::vector<std::string_view> inserted;
  std::vector<std::string_view> updated;
  std::vector<const Record*> news;      // whatever was inserted or updated
  std::vector<const Record*> ended;     // gone, or part of another record from now on
  std::vector<const Concern*> signals;  // records that are worth another look because of these
  std::vector<MetVersion> met;          // that batches behind `IntakeFor::since` brought
  RecordCounts counts;
};

struct IntakeFor {
  bool is_update = false;  // asked for these records by their ids
  Instant now;
  std::optional<Id> since{};  // who brought what was stored after that is of interest
  // The batch whose page is mapped anew: see mapped_anew.h. What it left as it was is not written.
  std::optional<Id> maps_anew{};
};

// The ids of which a store has to tell what it has under them.
std::vector<std::string_view> IdsToRead(std::span<const Record> records);
// Whether it has to tell their fields, too.
bool NeedsFields(std::span<const Record> records);

// An error where something stored cannot be read.
Result<Intake> TakeIn(std::span<const Record> records, StoredItems stored,
                      const IntakeFor& purpose);

}  // namespace patra::domain
