// Table ing_quarantine_place: where what is in quarantine was met. A row of the isolation pool stands for one thing, however
// many walks meet it.
#pragma once

#include <span>
#include <string>

#include "base/id.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::quarantine_place_table {

struct Met {
  Id quarantined = 0;
  bool is_first = false;  // it has no place yet
  bool is_named =
      false;  // a record with an id, settled by what comes of that and not by stretches that are read
};
// `is_current`: by the walk that goes on, which may prove the slice in spite of it.
// REQUIRES: each of them once
Result<void> Add(Session& session, std::span<const Met> met, Id slice, const domain::Window& window,
                 bool is_current, Instant now);

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
