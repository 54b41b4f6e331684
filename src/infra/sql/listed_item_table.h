// Table ing_listed_item: which records the list of each query named, of endpoints whose lists tell what is gone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::listed_item_table {

// The list of one query.
struct List {
  Id record_set;
  const std::string& query_hash;
};

// A record without an id stands as one whose id is empty.
Result<void> Note(Session& session, const List& list, Id plan, std::span<const std::string> ids);

struct Walked {
  std::int64_t named = 0;    // by this plan's walk, or a later one
  std::int64_t missing = 0;  // named by earlier ones only
  bool met_nameless = false;
};
Result<Walked> Count(Session& session, const List& list, Id plan);

// Of walks before the definition said that the list tells, nobody noted what they named: it is what their batches brought.
Result<void> NoteWhatBatchesBrought(Session& session, const List& list, Id plan);

struct Missing {
  std::string id;
  bool is_listed_elsewhere = false;  // by another query's list
};
// Named by no walk of this plan or a later one, behind `after` in the order of ids.
Result<std::vector<Missing>> NamedBefore(Session& session, const List& list, Id plan,
                                         const std::string& after, int ids_max);

Result<void> Forget(Session& session, const List& list, std::span<const std::string> ids);

}  // namespace patra::infra::sql::listed_item_table
