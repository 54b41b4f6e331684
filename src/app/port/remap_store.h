// What applying a changed definition to the raw vault reads and writes: pages in their order, records by the overwrite rule, and
// how far it has come.
//
// No lease is needed, also while workers run tasks of the endpoint: no plan, slice, task, run, batch or cursor is touched, and of
// two who map the same page anew the second finds it as it is to be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "app/port/replay_store.h"
#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/item/intake.h"
#include "domain/item/record.h"
#include "domain/word/lane.h"

namespace patra::app {

// In the order in which pages are gone through; the last one that was dealt with.
struct RemapPlace {
  Id run = 0;
  std::int64_t batch_no = 0;
};

struct RemapSums {
  std::int64_t pages = 0;
  std::int64_t pages_lost = 0;  // that the vault does not have, or that cannot be read
  std::int64_t records = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t left_alone = 0;  // another page decides about them
  std::int64_t bad = 0;
};

struct RemapWish {
  domain::Lane lane;  // its operation says nothing here
  std::string mapping_hash;
  std::optional<Instant> since{};  // of the pages
};

struct Remap {
  Id id = 0;
  domain::Lane lane;
  std::string mapping_hash;
  std::int64_t generation = 0;  // of what it makes
  std::optional<Instant> since{};
  RemapPlace at;
  RemapSums sums;
  bool is_taken_up = false;  // where an earlier one was interrupted
};

// A batch that brought records, as far as the store knows.
struct VaultPage {
  Id run = 0;
  Id batch = 0;
  std::int64_t batch_no = 0;
  bool is_kept = false;      // in the vault, or in an archive
  bool is_archived = false;  // the batch: nobody knows before it is read whether it brought any

  RemapPlace place() const { return {run, batch_no}; }
};

struct RemapCommit {
  const Remap& remap;  // with where it is once this is committed
  const RecordedBatch& batch;
  std::vector<domain::Record> records;
};

class RemapStore {
 public:
  virtual ~RemapStore() = default;

  // Takes up the one of the same wish that was not finished, else begins one; that is audited.
  virtual Result<Remap> Begin(const RemapWish& wish, const Decision& decision) = 0;

  // Batches of the endpoint that brought records, behind `after`.
  virtual Result<std::vector<VaultPage>> Pages(const domain::Lane& lane,
                                               std::optional<Instant> since,
                                               const RemapPlace& after, int pages_max) = 0;

  // Which of the ids have something stored, and what; without fields, by which alone their content is known.
  virtual Result<domain::StoredItems> Versions(const domain::Lane& lane,
                                               const std::vector<domain::Record>& records) = 0;

  // Takes the records in, with the signals and messages that follow, and notes how far it is.
  virtual Result<domain::RecordCounts> Commit(const RemapCommit& commit) = 0;

  virtual Result<void> Note(const Remap& remap) = 0;
  virtual Result<void> Finish(const Remap& remap) = 0;
};

}  // namespace patra::app
