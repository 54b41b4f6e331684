// A stretch of source time becomes proven: it is merged into the coverage, and where that moves the frontier,
// the cursor event is written in the same transaction. The value follows after it (I4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/cursor/cursor_move.h"
#include "domain/plan/plan.h"
#include "domain/word/lineage.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

struct Proof {
  const domain::Lane& lane;
  const domain::CursorNamespace& cursor;
  const std::string& query_hash;
  const domain::Window& plan_window;
  domain::Window window;  // what is proven
  domain::Lineage lineage;
  const std::string& expr_hash;
  std::optional<Instant> observed_max{};
  // Of the run that proves it: its last batch, and how many of what the slice brought came late (item/late.h).
  int batch_no = 0;
  std::int64_t late = 0;
  std::string why{};  // no more than this is proven
};

// The move, where there is one. `ids` gives the rows that are new.
Result<std::optional<domain::CursorMove>> ProveWindow(Session& session, const Proof& proof,
                                                      IdGenerator& ids, Instant now);

// Ranges of pages prove their window only together, and only when no more of them will be planned. The
// executor that finishes the last one sees to it, unless the planner comes after it: then this is for the planner.
Result<std::optional<domain::CursorMove>> ProvePages(Session& session, Id plan, IdGenerator& ids,
                                                     Instant now);

}  // namespace patra::infra::sql
