#include "infra/sql/tell_gone.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "domain/item/gone.h"
#include "infra/sql/item_table.h"
#include "infra/sql/listed_item_table.h"
#include "infra/sql/plan_table.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/take_in.h"

namespace patra::infra::sql {
namespace {

constexpr int kIdsAtOnce = 500;

// Everything that one round of burying needs.
struct Round {
  const Proof& proof;
  listed_item_table::List list;
  plan_table::WalkOfPlan walk;
  Id named_before;  // what no walk since that plan named is gone
};

// Marks what of these is alive, and forgets that the list ever named what is gone, or is on another list.
Result<std::int64_t> Bury(Session& session, const Round& round,
                          const std::vector<listed_item_table::Missing>& missing, IdGenerator& ids,
                          Instant now) {
  std::vector<std::string_view> names;
  std::vector<std::string> forgotten;
  for (const auto& one : missing) {
    if (one.is_listed_elsewhere) {
      forgotten.push_back(one.id);
    } else {
      names.push_back(one.id);
    }
  }
  const auto& lane = round.proof.lane;
  const auto stored = PATRA_TRY(item_table::Read(session, lane, names, item_table::With::kFields));
  std::vector<domain::Record> tombstones;
  for (const auto name : names) {
    const std::string id(name);
    const auto found = stored.find(id);
    const bool is_alive =
        found != stored.end() && !found->second.version.deleted && !found->second.merged_into;
    if (is_alive) {
      tombstones.push_back(domain::TombstoneOf(id, found->second, round.walk.began_at, now));
    } else {
      forgotten.push_back(id);
    }
  }
  PATRA_TRY(listed_item_table::Forget(session, round.list, forgotten));
  if (tombstones.empty()) return 0;
  const auto intake = PATRA_TRY(TakeIn(
      session,
      {.lane = lane,
       .expr_hash = round.proof.expr_hash,
       .batch = round.walk.last_batch,
       .dedup_key = fmt::format("gone/{}/{}", round.proof.lineage.plan, tombstones.front().id),
       .correlation = round.proof.lineage.correlation},
      tombstones, ids, now));
  std::vector<std::string> buried;
  for (std::size_t i = 0; i < tombstones.size(); ++i) {
    // What somebody has seen since stays, and so does the note: the next walk tells.
    if (intake.outcomes[i] == domain::Overwrite::kUpdate) buried.push_back(tombstones[i].id);
  }
  PATRA_TRY(listed_item_table::Forget(session, round.list, buried));
  return intake.counts.updated;
}

}  // namespace

Result<Gone> TellGone(Session& session, const Proof& proof, IdGenerator& ids, Instant now) {
  const Id plan = proof.lineage.plan;
  const auto sets =
      PATRA_TRY(record_set_table::List(session, proof.lane.provenance, proof.lane.endpoint));
  if (sets.empty()) return Gone{};
  const listed_item_table::List list{sets.front().number, proof.query_hash};
  auto counted = PATRA_TRY(listed_item_table::Count(session, list, plan));
  if (counted.named == 0 && !PATRA_TRY(plan_table::TellsGone(session, plan))) return Gone{};
  const auto last =
      PATRA_TRY(plan_table::NewestCompleted(session, proof.lane, proof.query_hash, plan));
  if (last && !PATRA_TRY(plan_table::TellsGone(session, *last))) {
    PATRA_TRY(listed_item_table::NoteWhatBatchesBrought(session, list, plan));
    counted = PATRA_TRY(listed_item_table::Count(session, list, plan));
  }
  const auto before = last ? PATRA_TRY(listed_item_table::Count(session, list, *last)).missing : 0;
  const auto named_last = last ? PATRA_TRY(slice_table::CountDifferent(session, *last)) : 0;
  const domain::WholeWalk walk{.named = counted.named,
                               .named_last = named_last,
                               .missing = counted.missing,
                               .newly_missing = counted.missing - before,
                               .outside = PATRA_TRY(slice_table::CountOutside(session, plan)),
                               .met_nameless = counted.met_nameless};
  Gone gone{.is_told = true};
  if (auto why = domain::WhyNotGone(walk)) {
    gone.doubt = *std::move(why);
    return gone;
  }
  Round round{.proof = proof,
              .list = list,
              .walk = PATRA_TRY(plan_table::FindWalk(session, plan)),
              .named_before = plan};
  if (domain::IsTooMuchAtOnce(walk))
    round.named_before = domain::CanConfirm(walk) ? last.value_or(0) : 0;
  std::string after;
  while (true) {
    const auto missing = PATRA_TRY(
        listed_item_table::NamedBefore(session, list, round.named_before, after, kIdsAtOnce));
    gone.records += PATRA_TRY(Bury(session, round, missing, ids, now));
    if (std::ssize(missing) < kIdsAtOnce) break;
    after = missing.back().id;
  }
  if (round.named_before != plan && gone.records < walk.missing) {
    const auto at = fmt::format("{}/{}", proof.lane.provenance, proof.lane.endpoint);
    gone.doubt = domain::WhyNextTells(walk, gone.records, at);
  }
  return gone;
}

}  // namespace patra::infra::sql
