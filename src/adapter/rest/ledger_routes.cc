// The ledger: lists, single rows and what happened when.
#include <algorithm>
#include <cctype>

#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "contract/gather_timeline.h"

namespace patra::adapter::rest {
namespace {

using contract::LedgerFilter;
using contract::LedgerKind;
using contract::LedgerPlace;

constexpr int kChildrenShown = 20;
constexpr int kEventsUsual = 1'000;

// Codes are taken in any case.
std::string UpperText(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// Filters, and one row more than is shown.
LedgerFilter FilterOf(const Fields& arguments) {
  return {.source = arguments.Text("source"),
          .endpoint = arguments.Text("endpoint"),
          .operation = UpperText(arguments.Text("operation")),
          .status = UpperText(arguments.Text("status")),
          .error_code = UpperText(arguments.Text("error")),
          .credential = arguments.Text("credential"),
          .plan = arguments.IdOf("plan"),
          .slice = arguments.IdOf("slice"),
          .task = arguments.IdOf("task"),
          .run = arguments.IdOf("run"),
          .rows_max = arguments.Number("limit") + 1};
}

// A list that is empty may be of something that does not exist, which is worth a word; what was found need not be looked up.
Result<void> CheckNames(const Call& call, const LedgerFilter& filter, LedgerKind kind,
                        bool is_empty) {
  PATRA_TRY(call.desk().names().CheckState(Name(kind), filter.status));
  if (!is_empty) return {};
  return call.desk().names().CheckTarget(filter.source, filter.endpoint);
}

template <typename Row>
void AppendRow(const Row& row, std::string& out) {
  AppendJson(FactsOf(row), out);
}

template <typename Row>
using AskList = Result<std::vector<Row>> (contract::LedgerQueries::*)(const LedgerFilter&);

// Lists that go by ids.
template <typename Row>
Result<Reply> ListById(const Call& call, LedgerKind kind, AskList<Row> ask) {
  auto filter = FilterOf(call.arguments);
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, Name(kind), "i")))
    filter.after = LedgerPlace{.id = *(*place)[0].AsInteger()};
  const auto rows = PATRA_TRY((call.desk().read().ledger().*ask)(filter));
  PATRA_TRY(CheckNames(call, filter, kind, rows.empty()));
  return PageReply(rows, call.arguments.Number("limit"), Name(kind), AppendRow<Row>,
                   [](const Row& row) { return Value::Array{row.id}; });
}

Result<Reply> ListSlices(const Call& call) {
  return ListById(call, LedgerKind::kSlice, &contract::LedgerQueries::Slices);
}
Result<Reply> ListTasks(const Call& call) {
  return ListById(call, LedgerKind::kTask, &contract::LedgerQueries::Tasks);
}
Result<Reply> ListRuns(const Call& call) {
  return ListById(call, LedgerKind::kRun, &contract::LedgerQueries::Runs);
}
Result<Reply> ListCursors(const Call& call) {
  return ListById(call, LedgerKind::kCursor, &contract::LedgerQueries::Cursors);
}

Instant MomentOf(const Value& micros) { return Instant(Duration(*micros.AsInteger())); }

Result<Reply> ListPlans(const Call& call) {
  auto filter = FilterOf(call.arguments);
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "plan", "ii")))
    filter.after = LedgerPlace{.id = *(*place)[0].AsInteger(), .at = MomentOf((*place)[1])};
  const auto rows = PATRA_TRY(call.desk().read().ledger().Plans(filter));
  PATRA_TRY(CheckNames(call, filter, LedgerKind::kPlan, rows.empty()));
  return PageReply(rows, call.arguments.Number("limit"), "plan", AppendRow<contract::PlanRow>,
                   [](const contract::PlanRow& row) {
                     return Value::Array{row.id, row.created_at.time_since_epoch().count()};
                   });
}

Result<Reply> ListBatches(const Call& call) {
  auto filter = FilterOf(call.arguments);
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "batch", "iiii"))) {
    filter.after = LedgerPlace{.id = *(*place)[0].AsInteger(),
                               .at = MomentOf((*place)[1]),
                               .run = *(*place)[2].AsInteger(),
                               .number = *(*place)[3].AsInteger()};
  }
  const auto rows = PATRA_TRY(call.desk().read().ledger().Batches(filter));
  PATRA_TRY(CheckNames(call, filter, LedgerKind::kBatch, rows.empty()));
  return PageReply(rows, call.arguments.Number("limit"), "batch", AppendRow<contract::BatchRow>,
                   [](const contract::BatchRow& row) {
                     return Value::Array{row.id, row.created_at.time_since_epoch().count(), row.run,
                                         row.number};
                   });
}

Reply ReplyOf(const contract::Facts& facts) {
  Reply reply;
  AppendJson(facts, reply.body);
  return reply;
}

template <typename Row>
Value::Array ObjectsOf(const std::vector<Row>& rows) {
  Value::Array objects;
  for (const auto& row : rows) objects.push_back(ToObject(FactsOf(row)));
  return objects;
}

Result<Reply> ShowPlan(const Call& call) {
  auto& ledger = call.desk().read().ledger();
  const auto id = call.arguments.IdOf("id");
  auto facts = FactsOf(PATRA_TRY(ledger.Plan(id)));
  Value::Object slices;
  for (const auto& [status, count] : PATRA_TRY(ledger.SliceCounts(id))) slices[status] = count;
  facts.push_back({"slices", std::move(slices)});
  return ReplyOf(facts);
}

Result<Reply> ShowSlice(const Call& call) {
  return ReplyOf(FactsOf(PATRA_TRY(call.desk().read().ledger().Slice(call.arguments.IdOf("id")))));
}

Result<Reply> ShowTask(const Call& call) {
  auto& ledger = call.desk().read().ledger();
  const auto id = call.arguments.IdOf("id");
  auto facts = FactsOf(PATRA_TRY(ledger.Task(id)));
  Value::Array runs;
  for (const auto& run : PATRA_TRY(ledger.Runs({.task = id, .rows_max = kChildrenShown})))
    runs.push_back(contract::IdFact(run.id));
  facts.push_back({"runs", std::move(runs)});
  return ReplyOf(facts);
}

Result<Reply> ShowRun(const Call& call) {
  return ReplyOf(FactsOf(PATRA_TRY(call.desk().read().ledger().Run(call.arguments.IdOf("id")))));
}

Result<Reply> ShowBatch(const Call& call) {
  return ReplyOf(FactsOf(PATRA_TRY(call.desk().read().ledger().Batch(call.arguments.IdOf("id")))));
}

Result<Reply> ShowTrigger(const Call& call) {
  return ReplyOf(
      FactsOf(PATRA_TRY(call.desk().read().ledger().Trigger(call.arguments.IdOf("id")))));
}

Result<Reply> ShowCursor(const Call& call) {
  auto& ledger = call.desk().read().ledger();
  const auto cursor = PATRA_TRY(ledger.Cursor(call.arguments.IdOf("id")));
  auto facts = FactsOf(cursor);
  facts.push_back({"decisions", ObjectsOf(PATRA_TRY(
                                    ledger.Decisions("CURSOR", cursor.Name(), kChildrenShown)))});
  facts.push_back(
      {"steps", ObjectsOf(PATRA_TRY(ledger.EventsOf(cursor, contract::kAlways, kChildrenShown)))});
  return ReplyOf(facts);
}

Result<Reply> ShowOrigins(const Call& call) {
  return WholeReply(PATRA_TRY(call.desk().read().ledger().OriginsOf(call.arguments.IdOf("id"))),
                    AppendRow<contract::OriginRow>);
}

template <LedgerKind kKind>
Result<Reply> ShowTimeline(const Call& call) {
  const auto within = PATRA_TRY(StretchOf(call, contract::kAlways));
  const auto timeline =
      PATRA_TRY(GatherTimeline(call.desk().read().ledger(), kKind, call.arguments.IdOf("id"),
                               call.arguments.Number("limit"), within));
  return WholeReply(timeline.Events(), AppendRow<contract::TimelineEvent>);
}

Parameter IdParameter(const std::string& name) {
  return {.name = name, .schema = {.kind = Schema::Kind::kId, .about = "only of this " + name}};
}

std::vector<Parameter> ListParameters(LedgerKind kind) {
  std::vector<Parameter> parameters{{"source", Text("only of this source")},
                                    {"endpoint", Text("only of this endpoint")},
                                    {"operation", Text("harvest, update or backfill")}};
  if (kind != LedgerKind::kCursor)
    parameters.push_back({"status", Text("only in this state, such as failed")});
  if (kind == LedgerKind::kTask) {
    parameters.push_back({"error", Text("only those where this went wrong last")});
    parameters.push_back({"credential", Text("only those whose last request went out with it")});
  }
  if (kind != LedgerKind::kCursor) {
    for (const auto above :
         {LedgerKind::kPlan, LedgerKind::kSlice, LedgerKind::kTask, LedgerKind::kRun}) {
      if (kind > above) parameters.push_back(IdParameter(std::string(Name(above))));
    }
  }
  parameters.push_back(LimitParameter());
  parameters.push_back(AfterParameter());
  return parameters;
}

std::vector<Parameter> TimelineParameters(LedgerKind kind) {
  std::vector<Parameter> parameters{{.name = "limit",
                                     .schema = Integer("of each kind, the newest", 1, kRowsMost),
                                     .standard = Value(kEventsUsual)}};
  if (kind != LedgerKind::kCursor) return parameters;
  parameters.push_back({"from", Text("a moment; default: the first step")});
  parameters.push_back({"to", Text("a moment; default: the last one")});
  return parameters;
}

Result<Reply> ListAudit(const Call& call) {
  Id before = 0;
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "audit", "i")))
    before = *(*place)[0].AsInteger();
  const auto limit = call.arguments.Number("limit");
  return PageReply(PATRA_TRY(call.desk().read().ledger().Audit(before, limit + 1)), limit, "audit",
                   AppendRow<contract::AuditRow>,
                   [](const contract::AuditRow& row) { return Value::Array{row.decision.id}; });
}

Result<Reply> CountAnswers(const Call& call) {
  auto& ledger = call.desk().read().ledger();
  const auto run = PATRA_TRY(ledger.Run(call.arguments.IdOf("id")));
  return WholeReply(PATRA_TRY(ledger.AnswersOf(run.id)), AppendRow<contract::AnswerCount>);
}

struct LedgerFamily {
  LedgerKind kind;
  std::string plural;
  std::string schema;
  std::string details;
  std::string about;
  Handler list;
  Handler show;
  Handler timeline;
};

}  // namespace

std::vector<Route> LedgerRoutes() {
  using enum LedgerKind;
  const std::vector<LedgerFamily> families{
      {kPlan, "Plans", "Plan", "PlanDetails", "what was planned, newest first", ListPlans, ShowPlan,
       ShowTimeline<kPlan>},
      {kSlice, "Slices", "Slice", "Slice", "the slices of plans, newest first", ListSlices,
       ShowSlice, ShowTimeline<kSlice>},
      {kTask, "Tasks", "Task", "TaskDetails", "the queue and what was in it, newest first",
       ListTasks, ShowTask, ShowTimeline<kTask>},
      {kRun, "Runs", "Run", "Run", "the attempts at tasks, newest first", ListRuns, ShowRun,
       ShowTimeline<kRun>},
      {kBatch, "Batches", "Batch", "Batch",
       "single requests, newest run first; with a status, the newest thousand of the newest "
       "thousand runs are looked at",
       ListBatches, ShowBatch, ShowTimeline<kBatch>},
      {kCursor, "Cursors", "Cursor", "CursorDetails",
       "how far everything is, by source, endpoint and operation", ListCursors, ShowCursor,
       ShowTimeline<kCursor>}};
  std::vector<Route> routes;
  for (const auto& family : families) {
    const auto base =
        "/api/v1/" +
        std::string(
            1, static_cast<char>(std::tolower(static_cast<unsigned char>(family.plural.front())))) +
        family.plural.substr(1);
    routes.push_back({.path = base,
                      .name = "list" + family.plural,
                      .about = family.about,
                      .access = domain::Access::kViewer,
                      .parameters = ListParameters(family.kind),
                      .answer = PageOf(family.schema),
                      .handler = family.list});
    routes.push_back({.path = base + "/{id}",
                      .name = "show" + family.schema,
                      .about = "everything about one, with its ids up and down",
                      .access = domain::Access::kViewer,
                      .answer = Named(family.details),
                      .handler = family.show});
    routes.push_back({.path = base + "/{id}/timeline",
                      .name = "timelineOf" + family.schema,
                      .about = "what happened to it, in the order of time",
                      .access = domain::Access::kViewer,
                      .parameters = TimelineParameters(family.kind),
                      .answer = PageOf("TimelineEvent"),
                      .handler = family.timeline});
  }
  routes.push_back({.path = "/api/v1/plans/{id}/origins",
                    .name = "showPlanOrigins",
                    .about = "where each value of its snapshot came from when it was made",
                    .access = domain::Access::kViewer,
                    .answer = PageOf("ValueOrigin"),
                    .handler = ShowOrigins});
  routes.push_back({.path = "/api/v1/runs/{id}/answers",
                    .name = "countAnswers",
                    .about = "how its newest ten thousand batches ended, by HTTP status",
                    .access = domain::Access::kViewer,
                    .answer = PageOf("AnswerCount"),
                    .handler = CountAnswers});
  routes.push_back({.path = "/api/v1/triggers/{id}",
                    .name = "showTrigger",
                    .about = "what led to a plan",
                    .access = domain::Access::kViewer,
                    .answer = Named("Trigger"),
                    .handler = ShowTrigger});
  routes.push_back({.path = "/api/v1/audit",
                    .name = "listAudit",
                    .about = "what people decided, and why, newest first",
                    .access = domain::Access::kViewer,
                    .parameters = {LimitParameter(), AfterParameter()},
                    .answer = PageOf("AuditEntry"),
                    .handler = ListAudit});
  return routes;
}

}  // namespace patra::adapter::rest
