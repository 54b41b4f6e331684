// `patra items`: the records, where they came from, and how they leave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/console.h"
#include "app/api/changes.h"
#include "base/clock.h"
#include "contract/read_side.h"

namespace patra::adapter::cli {

struct ItemsCommand {
  contract::ItemFilter filter;
  std::optional<std::string> updated_from;
  std::optional<std::string> updated_to;
  int limit = 50;
  std::string id;
  int pages = 100;  // of the vault, that `why` looks through
  bool as_json = false;
  std::string format = "jsonl";     // or csv, parquet
  std::vector<std::string> fields;  // none: all
  std::string out;                  // none: standard output
};

// What is asked for, with the times that were typed.
Result<contract::ItemFilter> FilterOf(const ItemsCommand& command, Instant now);

int RunItemsList(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                 const Console& console);
int RunItemsShow(const ItemsCommand& command, contract::ReadSide& read, const Console& console);
int RunItemsWhy(const ItemsCommand& command, contract::ReadSide& read, const Console& console);
int RunItemsExport(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                   const Console& console);

struct ChangesCommand {
  contract::ChangeFilter filter;
  std::string after;
  int limit = 1000;
  bool as_json = false;
};
int RunItemsChanges(const ChangesCommand& command, app::Changes& changes, const Console& console);

}  // namespace patra::adapter::cli
