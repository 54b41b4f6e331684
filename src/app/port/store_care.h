// What operators do to a store as a whole.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

// The numbers of the newest change of the schema.
struct SchemaChange {
  int before = 0;
  int after = 0;
};

// What works as it is, and would work better.
struct StoreAdvice {
  std::string said;
  std::string advice;
};

struct StoreFindings {
  int schema = 0;
  std::vector<std::string> problems;
  std::vector<StoreAdvice> advice{};
};

// What a question of the operators' runbook comes to.
struct StoreAnswer {
  std::string question;
  std::vector<std::string> lines{};
  bool is_wrong = false;  // the store is not as it should be
};

class StoreCare {
 public:
  virtual ~StoreCare() = default;

  // Brings the schema up to date, and makes the store where there is none.
  virtual Result<SchemaChange> Migrate(Instant now) = 0;

  virtual Result<StoreFindings> Check() = 0;

  // The same without reading what is stored: the schema's number, and how the database is set up.
  virtual Result<StoreFindings> Look() = 0;

  // The operators' questions, with what the store says to them now.
  virtual Result<std::vector<StoreAnswer>> Ask(Instant now) = 0;

  // Writes a consistent copy to `target`, which must not exist yet; nobody is blocked.
  virtual Result<void> BackUp(const std::string& target) = 0;

  // Puts the copy in the place of this store, which must not exist: a store is never overwritten.
  virtual Result<void> Restore(const std::string& backup) = 0;
};

}  // namespace patra::app
