// Slices that were cut are held against their parts by the transaction that closes the last of these: nobody else closes one of
// the same source meanwhile, so exactly one finds that it is the last.
#pragma once

#include <optional>
#include <vector>

#include "app/port/run_ledger.h"
#include "base/id.h"
#include "domain/cursor/cursor_move.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

struct Addition {
  struct Reached {
    Id whole = 0;
    domain::SumOfParts sum;
    // Where its parts fell short before: what is proven with them now.
    std::optional<domain::Window> proven_again{};
  };
  std::vector<Reached> reached;
  std::optional<app::ShortWhole> falls_short;  // or may: it is to be asked first
};

// From the slice upwards, as long as each is the last part of the next whole. Writes nothing.
Result<Addition> AddUp(Session& session, const app::SliceClose& close);

// Notes what the addition came to. Where parts fall short, nothing that they prove is proven any more; where they do not any
// more, all of it is again, and the frontier may move.
Result<std::optional<domain::CursorMove>> NoteAddition(Session& session,
                                                       const app::SliceClose& close,
                                                       const Addition& addition, IdGenerator& ids,
                                                       Instant now);

// Where parts have far more than their whole announced, the provider counts no further than that: of other slices of the plan that
// announced just as many, nothing is proven any more. Their windows.
Result<std::vector<domain::Window>> DoubtAlike(Session& session, const app::SliceClose& close,
                                               const Addition& addition, IdGenerator& ids,
                                               Instant now);

}  // namespace patra::infra::sql
