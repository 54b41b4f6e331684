#include "infra/sql/archived_events.h"

#include <algorithm>
#include <set>

#include "infra/sql/ledger_views.h"

namespace patra::infra::sql::archived_events {
namespace {

using contract::CursorEventRow;

constexpr std::string_view kLifeOfPlan =
    "SELECT provenance_code, created_at, updated_at FROM ing_plan WHERE id = :id LIMIT 1";

// Adds what the archive has to what the store has; a row may be in both while its file is being finished.
class Gathering {
 public:
  Gathering(std::vector<CursorEventRow> found, int rows_max)
      : events_(std::move(found)), rows_max_(rows_max) {
    for (const auto& event : events_) ids_.insert(event.id);
  }

  bool is_full() const { return std::ssize(events_) >= rows_max_; }
  void Add(const Rows& rows) {
    if (ids_.insert(rows.Integer("id")).second) events_.push_back(cursor_view::EventIn(rows));
  }
  std::vector<CursorEventRow> Take() { return std::move(events_); }

 private:
  std::vector<CursorEventRow> events_;
  std::set<Id> ids_;
  const int rows_max_;
};

bool IsOf(const contract::CursorRow& cursor, const Rows& rows) {
  return rows.View("endpoint_name") == cursor.scope.endpoint &&
         rows.View("operation_code") == cursor.scope.operation &&
         rows.View("namespace_scope_code") == cursor.namespace_scope &&
         rows.View("namespace_key") == cursor.namespace_key &&
         rows.View("cursor_key") == cursor.key;
}

}  // namespace

// Files come newest first, but the rows of one may be about any cursor: all of those files that are looked at is read.
Result<std::vector<CursorEventRow>> Of(Session& session, ArchivedRows& archived,
                                       const contract::CursorRow& cursor,
                                       const contract::Stretch& within, int rows_max) {
  auto stored = PATRA_TRY(cursor_view::EventsOf(session, cursor, within, rows_max));
  if (std::ssize(stored) >= rows_max) return stored;
  Gathering all(std::move(stored), rows_max);
  PATRA_TRY(archived.Each(session, app::ArchivedKind::kCursorEvents, cursor.scope.source,
                          within.from, within.to, [&](const Rows& rows) -> Result<bool> {
                            const auto at = rows.Time("created_at");
                            if (at >= within.from && at < within.to && IsOf(cursor, rows))
                              all.Add(rows);
                            return true;
                          }));
  auto events = all.Take();
  std::ranges::sort(events, std::greater{},
                    [](const CursorEventRow& event) { return std::pair(event.at, event.id); });
  if (std::ssize(events) > rows_max) events.resize(static_cast<std::size_t>(rows_max));
  return events;
}

Result<std::vector<CursorEventRow>> Of(Session& session, ArchivedRows& archived,
                                       const contract::LedgerFilter& filter) {
  Gathering all(PATRA_TRY(cursor_view::EventsOf(session, filter)), filter.rows_max);
  if (all.is_full()) return all.Take();
  std::string source;
  Instant from;
  Instant to;
  {
    auto rows = PATRA_TRY(session.Query(kLifeOfPlan, {{"id", filter.plan}}));
    if (!PATRA_TRY(rows.Next())) return all.Take();
    source = rows.Text("provenance_code");
    from = rows.Time("created_at");
    to = rows.Time("updated_at") + Duration(1);
  }
  PATRA_TRY(archived.Each(session, app::ArchivedKind::kCursorEvents, source, from, to,
                          [&](const Rows& rows) -> Result<bool> {
                            const bool is_asked_for =
                                rows.Integer("plan_id") == filter.plan &&
                                (filter.slice == 0 || rows.Integer("slice_id") == filter.slice) &&
                                (filter.run == 0 || rows.Integer("run_id") == filter.run);
                            if (is_asked_for) all.Add(rows);
                            return !all.is_full();
                          }));
  return all.Take();
}

}  // namespace patra::infra::sql::archived_events
