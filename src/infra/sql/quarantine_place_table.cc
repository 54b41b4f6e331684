#include "infra/sql/quarantine_place_table.h"

#include <set>
#include <vector>

#include "domain/cursor/coverage.h"

namespace patra::infra::sql::quarantine_place_table {
namespace {

std::string_view ForgetSliceIn() {
  static const auto kSql =
      WithList("DELETE FROM ing_quarantine_place WHERE slice_id = :slice_id AND quarantine_id IN");
  return kSql;
}

// What is looked at again and again does not have a place for each time.
std::string_view ForgetCoveredIn() {
  static const auto kSql = WithList(R"sql(
    DELETE FROM ing_quarantine_place
    WHERE window_from >= :window_from AND window_to <= :window_to
      AND EXISTS (SELECT 1 FROM ing_plan_slice AS old JOIN ing_plan_slice AS own ON own.id = :slice_id
                  WHERE old.id = ing_quarantine_place.slice_id AND old.query_hash = own.query_hash
                    AND old.plan_id <> own.plan_id)
      AND quarantine_id IN)sql");
  return kSql;
}

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_quarantine_place
        (quarantine_id, slice_id, window_from, window_to, is_current, seen_at)
    VALUES (:quarantine_id, :slice_id, :window_from, :window_to, :is_current, :seen_at))sql";

constexpr std::string_view kBeginWalk = R"sql(
    UPDATE ing_quarantine_place SET is_current = 0 WHERE slice_id = :slice_id AND is_current = 1)sql";

// A walk that met it reads its stretch no better than the one before; slices of one plan that share a window read it
// together.
constexpr std::string_view kMetIn = R"sql(
    SELECT place.quarantine_id, place.slice_id, place.window_from, place.window_to, place.seen_at
    FROM ing_quarantine AS bad INDEXED BY idx_quarantine_unnamed
    JOIN ing_quarantine_place AS place ON place.quarantine_id = bad.id
    JOIN ing_plan_slice AS slice ON slice.id = place.slice_id
    WHERE bad.provenance_code = :provenance_code AND bad.endpoint_name = :endpoint_name
      AND bad.status_code = 'OPEN' AND (bad.level_code = 'BATCH' OR bad.provider_item_id IS NULL)
      AND bad.rule <> 'replay' AND slice.query_hash = :query_hash
      AND place.window_from < :to AND place.window_to > :from
      AND (:only_slice = 0 OR place.slice_id = :only_slice)
      AND NOT EXISTS (
          SELECT 1 FROM ing_quarantine_place AS met JOIN ing_plan_slice AS own ON own.id = met.slice_id
          WHERE met.quarantine_id = bad.id AND met.is_current = 1 AND own.plan_id = :plan_id
            AND met.window_from < :to AND met.window_to > :from
            AND (:only_slice = 0 OR met.slice_id = :only_slice))
    LIMIT 10000)sql";

constexpr std::string_view kForgetStretch = R"sql(
    DELETE FROM ing_quarantine_place
    WHERE quarantine_id = :quarantine_id AND slice_id = :slice_id AND window_from = :window_from)sql";

constexpr std::string_view kSettle = R"sql(
    UPDATE ing_quarantine
    SET status_code = 'RETRIED', decided_by = 'patra',
        decided_reason = 'what it was met in was read again, to the end and without it', decided_at = :now
    WHERE id = :id AND status_code = 'OPEN'
      AND NOT EXISTS (SELECT 1 FROM ing_quarantine_place WHERE quarantine_id = :id))sql";

struct Place {
  Id quarantined = 0;
  Id slice = 0;
  domain::Window window;
  Instant seen_at;
};

}  // namespace

Result<void> Add(Session& session, std::span<const Met> met, Id slice, const domain::Window& window,
                 bool is_current, Instant now) {
  std::vector<Bound> known, known_by_name;
  for (const auto& one : met) {
    if (one.is_first) continue;
    known.emplace_back(one.quarantined);
    if (one.is_named) known_by_name.emplace_back(one.quarantined);
  }
  PATRA_TRY(session.RunIn(ForgetSliceIn(), known, {{"slice_id", slice}}));
  PATRA_TRY(session.RunIn(
      ForgetCoveredIn(), known_by_name,
      {{"window_from", window.from()}, {"window_to", window.to()}, {"slice_id", slice}}));
  return session.RunEach(kInsert, met.size(), [&](std::size_t i, const auto& with) {
    return with({{"quarantine_id", met[i].quarantined},
                 {"slice_id", slice},
                 {"window_from", window.from()},
                 {"window_to", window.to()},
                 {"is_current", std::int64_t{is_current}},
                 {"seen_at", now}});
  });
}

Result<void> BeginWalk(Session& session, Id slice) {
  PATRA_TRY(session.Run(kBeginWalk, {{"slice_id", slice}}));
  return {};
}

Result<void> Leave(Session& session, const ReadWell& read, Instant now) {
  std::vector<Place> met;
  {
    auto rows = PATRA_TRY(session.Query(kMetIn, {{"provenance_code", read.lane.provenance},
                                                 {"endpoint_name", read.lane.endpoint},
                                                 {"query_hash", read.query_hash},
                                                 {"to", read.window.to()},
                                                 {"from", read.window.from()},
                                                 {"only_slice", read.only_slice},
                                                 {"plan_id", read.plan}}));
    while (PATRA_TRY(rows.Next())) {
      met.push_back({.quarantined = rows.Integer("quarantine_id"),
                     .slice = rows.Integer("slice_id"),
                     .window = PATRA_TRY(
                         domain::Window::Between(rows.Time("window_from"), rows.Time("window_to"))),
                     .seen_at = rows.Time("seen_at")});
    }
  }
  const domain::Coverage well({read.window});
  std::set<Id> touched;
  for (const auto& place : met) {
    touched.insert(place.quarantined);
    PATRA_TRY(session.Run(kForgetStretch, {{"quarantine_id", place.quarantined},
                                           {"slice_id", place.slice},
                                           {"window_from", place.window.from()}}));
    for (const auto& rest : well.GapsIn(place.window)) {
      PATRA_TRY(session.Run(kInsert, {{"quarantine_id", place.quarantined},
                                      {"slice_id", place.slice},
                                      {"window_from", rest.from()},
                                      {"window_to", rest.to()},
                                      {"is_current", std::int64_t{0}},
                                      {"seen_at", place.seen_at}}));
    }
  }
  for (const auto id : touched) PATRA_TRY(session.Run(kSettle, {{"now", now}, {"id", id}}));
  return {};
}

}  // namespace patra::infra::sql::quarantine_place_table
