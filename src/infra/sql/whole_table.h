// Of table ing_plan_slice: slices that were cut, and what was announced for them and for their parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "domain/plan/slice_spec.h"
#include "domain/word/lane.h"
#include "domain/word/window.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::whole_table {

// What the parts of the slice, which was cut just now, have to announce together.
Result<void> NoteCut(Session& session, Id slice, std::int64_t announced);

struct Whole {
  Id id = 0;
  domain::SliceSpec spec;
  std::optional<std::int64_t> announced{};  // when it was cut; nothing where its parts owe nothing
  bool fell_short = false;                  // when its parts were compared with it last
};
// That the slice was cut from.
Result<std::optional<Whole>> FindParent(Session& session, Id slice);

struct Parts {
  bool is_read = false;  // all of them
  std::int64_t announced =
      0;                  // by them together; a part that was cut counts as what it announced then
  domain::Window window;  // that they cover together
  std::optional<Instant>
      proven_to{};  // where some were read before the provider's own time for them
};
// As if `done`, which is one of them, was read. REQUIRES: the slice has parts
Result<Parts> PartsOf(Session& session, Id whole, Id done);

// What to ask the parts with, a part that was cut as one.
Result<std::vector<domain::SliceSpec>> SpecsOf(Session& session, Id whole);

// What the comparison came to; `now` where the whole was asked again.
Result<void> NoteSum(Session& session, Id whole, std::int64_t parts,
                     std::optional<std::int64_t> now);

// Why its parts do not stand for it, in place of why it was cut.
Result<void> NoteShort(Session& session, Id whole, const std::string& why, Instant now);

// Whether any of the query's slices within `window` was cut into parts that fall short.
Result<bool> AnyFellShort(Session& session, const domain::Lane& lane, const std::string& query_hash,
                          const domain::Window& window);

// Totals of slices of the query whose parts have far more (domain::IsCap).
Result<std::vector<std::int64_t>> CapsOf(Session& session, const domain::Lane& lane,
                                         const std::string& query_hash);

// Slices of the plan that are done and announced just that many.
struct Alike {
  Id slice = 0;
  domain::Window window;
};
Result<std::vector<Alike>> DoneWithTotal(Session& session, Id plan, std::int64_t announced);

}  // namespace patra::infra::sql::whole_table
