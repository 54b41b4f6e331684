#include "infra/sql/whole_table.h"

#include "base/value.h"
#include "domain/walk/same_totals.h"

namespace patra::infra::sql::whole_table {
namespace {

constexpr std::string_view kNoteCut =
    "UPDATE ing_plan_slice SET cut_total = :announced, parts_total = NULL, whole_total = NULL "
    "WHERE id = :id";

constexpr std::string_view kParent = R"sql(
    SELECT whole.id, whole.slice_spec, whole.cut_total,
           coalesce(whole.whole_total > whole.parts_total, 0) AS fell_short
    FROM ing_plan_slice AS part JOIN ing_plan_slice AS whole ON whole.id = part.parent_slice_id
    WHERE part.id = :id LIMIT 1)sql";

// Below a part that was cut without owing anything, its own parts are looked at beside what it brought itself.
constexpr std::string_view kParts = R"sql(
    WITH RECURSIVE part (id) AS (
        SELECT id FROM ing_plan_slice WHERE parent_slice_id = :whole
        UNION ALL
        SELECT child.id
        FROM part JOIN ing_plan_slice AS cut ON cut.id = part.id
        JOIN ing_plan_slice AS child ON child.parent_slice_id = cut.id
        WHERE cut.cut_total IS NULL)
    SELECT coalesce(sum(CASE WHEN id = :done OR is_read THEN 0 ELSE 1 END), 0) AS left_to_read,
           coalesce(sum(counted), 0) AS announced, min(window_from) AS window_from,
           max(window_to) AS window_to, min(proven_to) AS proven_to
    FROM (SELECT slice.id, slice.window_from, slice.window_to,
                 CASE WHEN slice.cut_total IS NOT NULL
                      THEN coalesce(slice.parts_total >= coalesce(slice.whole_total, slice.cut_total), 0)
                      ELSE slice.status_code = 'SUCCEEDED'
                           OR (slice.status_code = 'PARTIAL' AND slice.provable_to IS NOT NULL)
                           OR EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id)
                      END AS is_read,
                 coalesce(slice.cut_total,
                          CASE WHEN EXISTS (SELECT 1 FROM ing_plan_slice AS child
                                            WHERE child.parent_slice_id = slice.id)
                               THEN slice.received - slice.repeated
                               ELSE coalesce(slice.announced, slice.received - slice.repeated) END) AS counted,
                 CASE WHEN slice.status_code <> 'SUCCEEDED' THEN slice.provable_to END AS proven_to
          FROM part JOIN ing_plan_slice AS slice ON slice.id = part.id) AS parts)sql";

constexpr std::string_view kSpecs = R"sql(
    SELECT slice_spec FROM ing_plan_slice WHERE parent_slice_id = :whole ORDER BY id LIMIT 10000)sql";

constexpr std::string_view kNoteSum =
    "UPDATE ing_plan_slice SET parts_total = :parts, whole_total = :now WHERE id = :id";

constexpr std::string_view kNoteShort =
    "UPDATE ing_plan_slice SET gap = :why, updated_at = :now WHERE id = :id";

constexpr std::string_view kCaps = R"sql(
    SELECT DISTINCT cut_total FROM ing_plan_slice INDEXED BY idx_slice_cut
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND cut_total >= :least AND 10 * parts_total > 11 * cut_total
    ORDER BY cut_total LIMIT 100)sql";

constexpr std::string_view kDoneWithTotal = R"sql(
    SELECT id, window_from, window_to FROM ing_plan_slice AS slice
    WHERE plan_id = :plan_id AND coalesce(announced, received - repeated) = :announced
      AND ((status_code = 'SUCCEEDED'
            AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id))
           OR (status_code = 'PARTIAL' AND cut_total IS NULL
               AND EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id)))
    ORDER BY id LIMIT 10000)sql";

constexpr std::string_view kAnyFellShort = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_plan_slice INDEXED BY idx_slice_asked_again
                   WHERE whole_total IS NOT NULL AND whole_total > parts_total
                     AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
                     AND query_hash = :query_hash AND window_from < :to AND window_to > :from))sql";

}  // namespace

Result<void> NoteCut(Session& session, Id slice, std::int64_t announced) {
  PATRA_TRY(session.Run(kNoteCut, {{"announced", announced}, {"id", slice}}));
  return {};
}

Result<std::optional<Whole>> FindParent(Session& session, Id slice) {
  auto rows = PATRA_TRY(session.Query(kParent, {{"id", slice}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return Whole{.id = rows.Integer("id"),
               .spec = PATRA_TRY(
                   domain::SliceSpec::FromValue(PATRA_TRY(ParseJson(rows.View("slice_spec"))))),
               .announced = rows.OptionalInteger("cut_total"),
               .fell_short = rows.Integer("fell_short") != 0};
}

Result<Parts> PartsOf(Session& session, Id whole, Id done) {
  auto rows = PATRA_TRY(session.Query(kParts, {{"whole", whole}, {"done", done}}));
  PATRA_TRY(rows.Next());
  return Parts{.is_read = rows.Integer("left_to_read") == 0,
               .announced = rows.Integer("announced"),
               .window = PATRA_TRY(
                   domain::Window::Between(rows.Time("window_from"), rows.Time("window_to"))),
               .proven_to = rows.OptionalTime("proven_to")};
}

Result<std::vector<domain::SliceSpec>> SpecsOf(Session& session, Id whole) {
  std::vector<domain::SliceSpec> specs;
  auto rows = PATRA_TRY(session.Query(kSpecs, {{"whole", whole}}));
  while (PATRA_TRY(rows.Next()))
    specs.push_back(
        PATRA_TRY(domain::SliceSpec::FromValue(PATRA_TRY(ParseJson(rows.View("slice_spec"))))));
  return specs;
}

Result<void> NoteSum(Session& session, Id whole, std::int64_t parts,
                     std::optional<std::int64_t> now) {
  PATRA_TRY(session.Run(kNoteSum, {{"parts", parts}, {"now", now}, {"id", whole}}));
  return {};
}

Result<void> NoteShort(Session& session, Id whole, const std::string& why, Instant now) {
  PATRA_TRY(session.Run(kNoteShort, {{"why", why}, {"now", now}, {"id", whole}}));
  return {};
}

Result<std::vector<std::int64_t>> CapsOf(Session& session, const domain::Lane& lane,
                                         const std::string& query_hash) {
  std::vector<std::int64_t> caps;
  auto rows = PATRA_TRY(session.Query(kCaps, {{"provenance_code", lane.provenance},
                                              {"endpoint_name", lane.endpoint},
                                              {"query_hash", query_hash},
                                              {"least", domain::kCapLeast}}));
  while (PATRA_TRY(rows.Next())) caps.push_back(rows.Integer("cut_total"));
  return caps;
}

Result<std::vector<Alike>> DoneWithTotal(Session& session, Id plan, std::int64_t announced) {
  std::vector<Alike> alike;
  auto rows =
      PATRA_TRY(session.Query(kDoneWithTotal, {{"plan_id", plan}, {"announced", announced}}));
  while (PATRA_TRY(rows.Next())) {
    alike.push_back({rows.Integer("id"), PATRA_TRY(domain::Window::Between(
                                             rows.Time("window_from"), rows.Time("window_to")))});
  }
  return alike;
}

Result<bool> AnyFellShort(Session& session, const domain::Lane& lane, const std::string& query_hash,
                          const domain::Window& window) {
  return PATRA_TRY(session.Integer(kAnyFellShort, {{"provenance_code", lane.provenance},
                                                   {"endpoint_name", lane.endpoint},
                                                   {"query_hash", query_hash},
                                                   {"to", window.to()},
                                                   {"from", window.from()}})) > 0;
}

}  // namespace patra::infra::sql::whole_table
