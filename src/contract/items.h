// The records as people look at them, and how they come out again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/facts.h"
#include "contract/ledger_rows.h"

namespace patra::contract {

struct ItemRow {
  Id row = 0;
  std::string source;
  std::string endpoint;
  std::string id;  // as the provider names it
  Instant updated_at;
  std::int64_t provider_version = 0;
  std::int64_t mapping_generation = 0;
  Instant fetched_at;
  std::string content_hash;
  std::string fields;  // canonical JSON
  std::string expr_hash;
  Id batch = 0;  // that wrote this version
  Instant first_seen_at;
  Instant refreshed_at;
  std::optional<Instant> deleted_at;
  std::optional<std::string> merged_into;
};

Facts FactsOf(const ItemRow& item);

enum class Tombstones { kLeaveOut, kInclude, kOnly };

// Empty texts stand for any.
struct ItemFilter {
  std::string source;
  std::string endpoint;
  std::string id_prefix;
  std::optional<Instant> updated_from;
  std::optional<Instant> updated_to;  // excluded
  Tombstones tombstones = Tombstones::kLeaveOut;

  bool has_times() const { return updated_from || updated_to; }
};

// After which record the next page begins.
struct ItemPlace {
  std::string source;
  std::string endpoint;
  std::string id;
  Instant updated_at;
  Id row = 0;
};

struct ItemPage {
  std::vector<ItemRow> items;
  std::optional<ItemPlace> next;  // none after the last page
};

// A record that could not be taken in.
struct QuarantineRow {
  Id id = 0;
  std::string status;
  std::string path;
  std::string rule;
  std::string reason;
  Id batch = 0;
  Instant created_at;
};

Facts FactsOf(const QuarantineRow& row);

// What the values of a mapped field are, by its definition: a column of that type can hold them. kList is a list of
// anything; kAny says nothing.
enum class FieldKind { kAny, kText, kInteger, kNumber, kBoolean, kInstant, kDate, kList };

struct ItemField {
  std::string name;
  FieldKind kind = FieldKind::kAny;

  friend bool operator==(const ItemField&, const ItemField&) = default;
};

class ItemQueries {
 public:
  virtual ~ItemQueries() = default;

  // The next records in one order that never changes: by source and endpoint, and therein by id; by the
  // time of update where the filter has times. The first page where `after` is not given.
  virtual Result<ItemPage> Page(const ItemFilter& filter, const std::optional<ItemPlace>& after,
                                int items_max) = 0;

  // The latest updated first. The filter's prefix is not looked at: Page finds ids.
  virtual Result<std::vector<ItemRow>> Newest(const ItemFilter& filter, int items_max) = 0;

  // Every record of that id: one per source and endpoint that has it.
  virtual Result<std::vector<ItemRow>> Find(const std::string& source, const std::string& endpoint,
                                            const std::string& id) = 0;

  // The batch that brought the first version of a record, where the ledger still has it.
  virtual Result<std::optional<Id>> FirstBatch(const ItemRow& item) = 0;

  // The batches whose pages, among the newest `pages_max` that the vault has of the endpoint, name the
  // record: where its versions are. Newest first. A page that names it may still have brought nothing new.
  virtual Result<std::vector<Id>> PagesWith(const ItemRow& item, int pages_max) = 0;

  // What was wrong with versions of that record, newest first.
  virtual Result<std::vector<QuarantineRow>> Quarantined(const std::string& source,
                                                         const std::string& endpoint,
                                                         const std::string& id, int rows_max) = 0;

  // The mapped fields, in the order of the newest plan's definition. One that several endpoints have is of any kind
  // where they do not agree.
  virtual Result<std::vector<ItemField>> Fields(const ItemFilter& filter) = 0;
};

}  // namespace patra::contract
