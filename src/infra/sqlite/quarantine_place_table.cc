#include "infra/sqlite/quarantine_place_table.h"

#include <set>
#include <vector>

#include "domain/cursor/coverage.h"

namespace patra::infra::sqlite::quarantine_place_table {
namespace {

constexpr std::string_view kForgetSlice = R"sql(
    DELETE FROM ing_quarantine_place WHERE quarantine_id = :quarantine_id AND slice_id = :slice_id)sql";

// What is looked at again and again does not have a place for each time.
constexpr std::string_view kForgetCovered = R"sql(
    DELETE FROM ing_quarantine_place
    WHERE quarantine_id = :quarantine_id AND window_from >= :window_from AND window_to <= :window_to
      AND EXISTS (SELECT 1 FROM ing_plan_slice AS old JOIN ing_plan_slice AS own ON own.id = :slice_id
                  WHERE old.id = ing_quarantine_place.slice_id AND old.query_hash = own.query_hash
                    AND old.plan_id <> own.plan_id))sql";

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

Result<void> Add(Connection& connection, Id quarantined, bool is_named, Id slice,
                 const domain::Window& window, bool is_current, Instant now) {
  PATRA_TRY(connection.Run(kForgetSlice, quarantined, slice));
  if (is_named)
    PATRA_TRY(connection.Run(kForgetCovered, quarantined, window.from(), window.to(), slice));
  PATRA_TRY(connection.Run(kInsert, quarantined, slice, window.from(), window.to(),
                           std::int64_t{is_current}, now));
  return {};
}

Result<void> BeginWalk(Connection& connection, Id slice) {
  PATRA_TRY(connection.Run(kBeginWalk, slice));
  return {};
}

Result<void> Leave(Connection& connection, const ReadWell& read, Instant now) {
  std::vector<Place> met;
  {
    auto rows = PATRA_TRY(connection.Query(
        kMetIn, read.partition.provenance, read.partition.endpoint, read.query_hash,
        read.window.to(), read.window.from(), read.only_slice, read.plan));
    while (PATRA_TRY(rows.Next())) {
      met.push_back({.quarantined = rows.Integer(0),
                     .slice = rows.Integer(1),
                     .window = PATRA_TRY(domain::Window::Between(rows.Time(2), rows.Time(3))),
                     .seen_at = rows.Time(4)});
    }
  }
  const domain::Coverage well({read.window});
  std::set<Id> touched;
  for (const auto& place : met) {
    touched.insert(place.quarantined);
    PATRA_TRY(connection.Run(kForgetStretch, place.quarantined, place.slice, place.window.from()));
    for (const auto& rest : well.GapsIn(place.window)) {
      PATRA_TRY(connection.Run(kInsert, place.quarantined, place.slice, rest.from(), rest.to(),
                               std::int64_t{0}, place.seen_at));
    }
  }
  for (const auto id : touched) PATRA_TRY(connection.Run(kSettle, now, id));
  return {};
}

}  // namespace patra::infra::sqlite::quarantine_place_table
