// A store for the commands' tests: answers with what the test prepared.
#pragma once

#include <memory>

#include "app/api/corrections.h"
#include "contract/read_side.h"

namespace patra::adapter::cli {

struct FakeStore {
  std::vector<contract::PlanRow> plans;
  std::vector<contract::OriginRow> origins;
  std::vector<contract::SliceRow> slices;
  std::vector<contract::TaskRow> tasks;
  std::vector<contract::RunRow> runs;
  std::vector<contract::BatchRow> batches;
  std::vector<contract::CursorRow> cursors;
  std::vector<contract::CursorEventRow> events;
  std::vector<contract::TriggerRow> triggers;
  std::vector<contract::DecisionRow> decisions;
  contract::LedgerFilter asked;

  contract::StoreStatus status;
  std::vector<contract::QueueRow> queue;

  std::vector<contract::ItemRow> items;
  std::vector<contract::ItemField> fields;
  contract::ItemFilter asked_items;

  std::vector<contract::Stretch> proven;
  std::optional<contract::Stretch> planned;
  std::int64_t quarantine_open = 0;
};

class FakeReadSide final : public contract::ReadSide,
                           private contract::LedgerQueries,
                           private contract::ItemQueries,
                           private contract::StatusQueries,
                           private contract::CompletenessQueries,
                           private contract::DashboardQueries,
                           private contract::ChangeQueries {
 public:
  explicit FakeReadSide(FakeStore& store) : store_(store) {}

  contract::LedgerQueries& ledger() override { return *this; }
  contract::ItemQueries& items() override { return *this; }
  contract::StatusQueries& status() override { return *this; }
  contract::CompletenessQueries& completeness() override { return *this; }
  contract::DashboardQueries& dashboard() override { return *this; }
  contract::ChangeQueries& changes() override { return *this; }

 private:
  Result<contract::ChangePage> After(const contract::ChangePlace& place,
                                     const contract::ChangeFilter&, int) override {
    return contract::ChangePage{.place = place};
  }
  Result<contract::ChangePlace> End() override { return contract::ChangePlace{}; }

  template <typename Row>
  Result<std::vector<Row>> All(const std::vector<Row>& rows, const contract::LedgerFilter& filter) {
    store_.asked = filter;
    return rows;
  }
  template <typename Row>
  Result<Row> One(const std::vector<Row>& rows, Id id) {
    for (const auto& row : rows) {
      if (row.id == id) return row;
    }
    return Fail(ErrorCode::kNotFound, "there is none");
  }

  Result<std::vector<contract::PlanRow>> Plans(const contract::LedgerFilter& f) override {
    return All(store_.plans, f);
  }
  Result<std::vector<contract::SliceRow>> Slices(const contract::LedgerFilter& f) override {
    return All(store_.slices, f);
  }
  Result<std::vector<contract::TaskRow>> Tasks(const contract::LedgerFilter& f) override {
    return All(store_.tasks, f);
  }
  Result<std::vector<contract::RunRow>> Runs(const contract::LedgerFilter& f) override {
    return All(store_.runs, f);
  }
  Result<std::vector<contract::BatchRow>> Batches(const contract::LedgerFilter& f) override {
    return All(store_.batches, f);
  }
  Result<std::vector<contract::CursorRow>> Cursors(const contract::LedgerFilter& f) override {
    return All(store_.cursors, f);
  }
  Result<contract::TriggerRow> Trigger(Id id) override { return One(store_.triggers, id); }
  Result<contract::PlanRow> Plan(Id id) override { return One(store_.plans, id); }
  Result<contract::SliceRow> Slice(Id id) override { return One(store_.slices, id); }
  Result<contract::TaskRow> Task(Id id) override { return One(store_.tasks, id); }
  Result<contract::RunRow> Run(Id id) override { return One(store_.runs, id); }
  Result<contract::BatchRow> Batch(Id id) override { return One(store_.batches, id); }
  Result<contract::CursorRow> Cursor(Id id) override { return One(store_.cursors, id); }
  Result<std::vector<contract::OriginRow>> OriginsOf(Id) override { return store_.origins; }
  Result<std::vector<contract::AnswerCount>> AnswersOf(Id) override {
    return std::vector<contract::AnswerCount>();
  }
  Result<std::vector<std::pair<std::string, std::int64_t>>> SliceCounts(Id) override {
    return std::vector<std::pair<std::string, std::int64_t>>{{"FAILED", 1}, {"SUCCEEDED", 9}};
  }
  Result<std::vector<contract::CursorEventRow>> EventsOf(const contract::CursorRow&,
                                                         const contract::Stretch&, int) override {
    return store_.events;
  }
  Result<std::vector<contract::CursorEventRow>> EventsOf(const contract::LedgerFilter&) override {
    return store_.events;
  }
  Result<std::vector<contract::DecisionRow>> Decisions(const std::string&, const std::string&,
                                                       int) override {
    return store_.decisions;
  }
  Result<std::vector<contract::AuditRow>> Audit(Id, int) override {
    return std::vector<contract::AuditRow>{};
  }

  Result<contract::StoreStatus> Status(Instant) override { return store_.status; }

  Result<contract::QueueSnapshot> Queue(const contract::DashboardFilter&,
                                        const contract::Stretch& window) override {
    return contract::QueueSnapshot{.window = window, .rows = store_.queue};
  }
  Result<contract::ErrorTop> TopErrors(const contract::ErrorQuestion&) override {
    return contract::ErrorTop{};
  }
  Result<contract::GateHistory> GateHistory(const std::string&,
                                            const contract::PastSteps& steps) override {
    return contract::GateHistory{.steps = steps};
  }
  Result<contract::WorkHistory> WorkHistory(const contract::DashboardFilter&,
                                            const contract::PastSteps& steps) override {
    return contract::WorkHistory{.steps = steps};
  }

  // Two records a page, so that a handful of them takes several.
  Result<contract::ItemPage> Page(const contract::ItemFilter& filter,
                                  const std::optional<contract::ItemPlace>& after, int) override {
    store_.asked_items = filter;
    contract::ItemPage page;
    for (const auto& item : store_.items) {
      if (after && item.id <= after->id) continue;
      page.items.push_back(item);
      if (page.items.size() < 2) continue;
      page.next = contract::ItemPlace{.id = item.id};
      break;
    }
    return page;
  }
  Result<std::vector<contract::ItemRow>> Newest(const contract::ItemFilter& filter, int) override {
    store_.asked_items = filter;
    return store_.items;
  }
  Result<std::vector<contract::ItemRow>> Find(const std::string& source, const std::string&,
                                              const std::string& id) override {
    std::vector<contract::ItemRow> found;
    for (const auto& item : store_.items) {
      if (item.id == id && (source.empty() || item.source == source)) found.push_back(item);
    }
    return found;
  }
  Result<std::optional<Id>> FirstBatch(const contract::ItemRow& item) override {
    return item.batch == 0 ? std::nullopt : std::optional(item.batch);
  }
  Result<std::vector<Id>> PagesWith(const contract::ItemRow& item, int pages_max) override {
    return pages_max == 0 ? std::vector<Id>{} : std::vector{item.batch};
  }
  Result<std::vector<contract::QuarantineRow>> Quarantined(const std::string&, const std::string&,
                                                           const std::string&, int) override {
    return std::vector<contract::QuarantineRow>{};
  }
  Result<std::vector<contract::ItemField>> Fields(const contract::ItemFilter&) override {
    return store_.fields;
  }

  Result<std::vector<Known>> KnownQueries(const std::string& source,
                                          const std::string& endpoint) override {
    std::vector<Known> known;
    if (store_.planned)
      known.push_back({{source, endpoint.empty() ? "items" : endpoint, "q"}, store_.planned});
    return known;
  }
  Result<std::vector<contract::Stretch>> Proven(const contract::CoverageKey&,
                                                const contract::Stretch&) override {
    return store_.proven;
  }
  Result<std::vector<contract::SliceRow>> SlicesIn(const contract::CoverageKey&,
                                                   const contract::Stretch&,
                                                   const std::optional<contract::SliceRow>&,
                                                   int) override {
    return store_.slices;
  }
  Result<contract::TotalPromise> PromiseOf(Id) override {
    return contract::TotalPromise{.kind = "EXACT"};
  }
  Result<std::string> SnapshotOf(Id) override { return std::string("{}"); }
  Result<std::int64_t> OpenQuarantine(const contract::CoverageKey&,
                                      const contract::Stretch&) override {
    return store_.quarantine_open;
  }

  FakeStore& store_;
};

class FakeCorrections final : public app::Corrections {
 public:
  explicit FakeCorrections(FakeStore& store) : store_(store) {}

  Result<app::CancelReport> Cancel(const app::CancelRequest& request,
                                   const domain::Actor&) override {
    cancelled = request;
    return app::CancelReport{.slices = 2, .tasks = 2};
  }
  Result<void> RequeueTask(Id task, const std::string& why, const domain::Actor&) override {
    requeued = task;
    reason = why;
    return {};
  }
  Result<app::CursorChange> SetCursor(const std::string&, const std::string& value,
                                      const std::string& why, const domain::Actor&) override {
    if (store_.cursors.empty()) return Fail(ErrorCode::kNotFound, "there is none");
    const auto before = store_.cursors.front();
    store_.cursors.front().value = value;
    reason = why;
    return app::CursorChange{.before = before, .after = store_.cursors.front()};
  }

  app::CancelRequest cancelled;
  Id requeued = 0;
  std::string reason;

 private:
  FakeStore& store_;
};

}  // namespace patra::adapter::cli
