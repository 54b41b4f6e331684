// What became of records, in the order in which it was committed: for whoever keeps something else in step with a store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contract/facts.h"

namespace patra::contract {

enum class ChangeKind { kInserted, kUpdated, kDeleted, kMerged };
std::string_view Name(ChangeKind kind);

// Of one record, by one transaction.
struct Change {
  ChangeKind kind = ChangeKind::kInserted;
  std::string id;
  std::optional<std::string> merged_into{};
};

// Up to where somebody has heard: everything below `position`, and so many changes of what has that position. Positions follow one
// another without a gap, so that whoever goes on notices what is not kept any more.
struct ChangePlace {
  std::int64_t position = 1;
  int heard = 0;

  std::string Text() const;  // "412.7"
  static Result<ChangePlace> Parse(std::string_view text);

  friend bool operator==(const ChangePlace&, const ChangePlace&) = default;
};

struct ChangeRow {
  ChangePlace place;  // behind it
  Change change;
  std::string source;
  std::string endpoint;
  Id batch = 0;  // that brought it
  Instant committed_at;
};
Facts FactsOf(const ChangeRow& row);

// Empty texts stand for any.
struct ChangeFilter {
  std::string source;
  std::string endpoint;
};

struct ChangePage {
  std::vector<ChangeRow> changes;
  ChangePlace place;      // where to go on, also where nothing came
  bool has_more = false;  // now; it may be empty and have more, where the filter left much out
};

class ChangeQueries {
 public:
  virtual ~ChangeQueries() = default;

  // Not found, where what comes next was collected.
  virtual Result<ChangePage> After(const ChangePlace& place, const ChangeFilter& filter,
                                   int changes_max) = 0;
  // Behind everything that has a position.
  virtual Result<ChangePlace> End() = 0;
};

}  // namespace patra::contract
