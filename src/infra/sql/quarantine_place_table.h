// Table ing_quarantine_place: where what is in quarantine was met. A row of the isolation pool stands for one thing, however
// many walks meet it.
#pragma once

#include <string>

#include "base/id.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::quarantine_place_table {

// `is_current`: by the walk that goes on, which may prove the slice in spite of it.
// `is_named`: a record with an id, which is settled by what comes of the id and not by stretches that are read.
Result<void> Add(Session& session, Id quarantined, bool is_named, Id slice,
                 const domain::Window& window, bool is_current, Instant now);

// What earlier walks over the slice met, this one has not met yet.
Result<void> BeginWalk(Session& session, Id slice);

struct ReadWell {
  const domain::Lane& lane;
  const std::string& query_hash;
  domain::Window window;
  Id plan = 0;
  Id only_slice = 0;  // of slices that know no time: themselves alone
};
// A page, or a record without an id, is settled once everything that it was met in was read without it.
Result<void> Leave(Session& session, const ReadWell& read, Instant now);

}  // namespace patra::infra::sql::quarantine_place_table
