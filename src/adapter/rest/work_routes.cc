// What is planned, withdrawn, tried again, replayed and put right. Executors work it off, whichever process they are in.
#include <fmt/format.h>

#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "adapter/rest/steps.h"
#include "app/api/report_facts.h"
#include "domain/word/source_target.h"

namespace patra::adapter::rest {
namespace {

using domain::Access;
using domain::Operation;

constexpr std::int64_t kRequestsMost = 1'000'000'000;
constexpr std::int64_t kPageSizeMost = 1'000'000;
constexpr std::int64_t kIdsInBodyMax = 100'000;
constexpr std::size_t kDifferencesShown = 1'000;
constexpr std::size_t kPreviewBytesShown = 16'384;  // of each record
constexpr std::int64_t kPreviewRecordsMost = 20;

Reply Told(Value::Object object) { return Reply{JsonOf(Value(std::move(object)))}; }

app::PlanRequest PlanRequestOf(const Call& call, Operation operation) {
  const auto& body = call.body;
  app::PlanRequest request;
  request.source.target = body.Text("source");
  request.source.operation = operation;
  request.source.query = body.TextIfAny("query");
  request.source.page_size = body.IntegerIfAny("pageSize");
  request.source.rate = body.TextIfAny("rate");
  request.from = body.TextIfAny("from");
  request.to = body.TextIfAny("to");
  request.gaps = body.Flag("gaps");
  request.further = body.Flag("auto");
  request.until = body.TextIfAny("until");
  request.step = body.TextIfAny("step");
  request.ids = body.Texts("ids");
  request.stale = body.TextIfAny("stale");
  if (const auto parts = body.IntegerIfAny("parts")) request.parts = static_cast<int>(*parts);
  request.expr_changed = body.Flag("exprChanged");
  request.signals = body.Flag("signals");
  request.spread = body.TextIfAny("spread");
  auto& options = request.options;
  options.again = body.Flag("again");
  options.dry_run = body.Flag("dryRun");
  if (const auto priority = body.IntegerIfAny("priority"))
    options.priority = static_cast<int>(*priority);
  if (const auto at_once = body.IntegerIfAny("atOnce"))
    options.tasks_at_once = static_cast<int>(*at_once);
  options.requests_max = body.IntegerIfAny("maxRequests");
  options.origin.params =
      Value::Object{{"by", call.actor.name}, {"way", CodeOf(call.actor.way)}, {"why", call.reason}};
  return request;
}

template <Operation kOperation>
Result<Reply> PlanOperation(const Call& call) {
  const auto turn = PATRA_TRY(call.OperationsTurn());
  const auto report = PATRA_TRY(call.services.operations().Plan(PlanRequestOf(call, kOperation)));
  if (!report.problems.empty()) return std::unexpected(report.problems.front());
  Reply reply;
  auto facts = FactsOf(report, kOperation);
  const auto& planned = report.planned;
  Value::Array given_up;
  for (const auto& slice : planned.given_up)
    given_up.push_back(Value::Object{{"window", slice.window.Describe()},
                                     {"slice", fmt::to_string(slice.slice)},
                                     {"task", fmt::to_string(slice.task)},
                                     {"tries", slice.tries},
                                     {"reason", slice.reason}});
  facts.push_back({"givenUpSlices", std::move(given_up)});
  facts.push_back({"hint", planned.hint});
  AppendJson(facts, reply.body);
  reply.status = planned.kind == app::Planned::Kind::kCreated ? 201 : 200;
  return reply;
}

template <app::CancelRequest::Kind kKind>
Result<Reply> Cancel(const Call& call) {
  const auto report = PATRA_TRY(call.changes().corrections().Cancel(
      {.kind = kKind, .id = call.arguments.IdOf("id"), .reason = call.reason}, call.actor));
  return Told({{"slices", report.slices}, {"tasks", report.tasks}});
}

Result<Reply> RequeueTask(const Call& call) {
  const auto id = call.arguments.IdOf("id");
  PATRA_TRY(call.changes().corrections().RequeueTask(id, call.reason, call.actor));
  Reply reply;
  AppendJson(FactsOf(PATRA_TRY(call.changes().read().ledger().Task(id))), reply.body);
  return reply;
}

Result<Reply> SetCursor(const Call& call) {
  const auto change = PATRA_TRY(call.changes().corrections().SetCursor(
      call.body.Text("cursor"), call.body.Text("value"), call.reason, call.actor));
  return Told(
      {{"before", ToObject(FactsOf(change.before))}, {"after", ToObject(FactsOf(change.after))}});
}

Result<Reply> RepairGaps(const Call& call) {
  const auto target = call.body.Text("source");
  const auto named = domain::TargetOf(target);
  PATRA_TRY(call.changes().names().CheckTarget(named.source, named.endpoint.value_or("")));
  const auto certificates = PATRA_TRY(call.changes().verification().Certify(
      {.target = target, .from = call.body.TextIfAny("from"), .to = call.body.TextIfAny("to")}));
  const auto turn = PATRA_TRY(call.OperationsTurn());
  Reply reply{.body = "{\"items\":["};
  for (const auto& certificate : certificates) {
    const auto repair = PATRA_TRY(call.services.operations().Repair(certificate, {}));
    if (&certificate != certificates.data()) reply.body += ',';
    AppendJson(contract::Facts{{"source", certificate.key.source},
                               {"endpoint", certificate.key.endpoint},
                               {"queryHash", certificate.key.query_hash},
                               {"needed", repair.is_needed},
                               {"slices", repair.slices},
                               {"triedAgain", repair.tried_again},
                               {"givenUp", std::ssize(repair.given_up)},
                               {"held", repair.held ? Value(repair.held->reason) : Value()},
                               {"hint", repair.held ? Value(repair.held->hint) : Value()}},
               reply.body);
  }
  reply.body += "],\"next\":null}";
  return reply;
}

Result<Reply> ReplayBatch(const Call& call) {
  const auto mode = call.body.Text("mode");
  app::ReplayRequest request{.run = call.body.IdOf("run"),
                             .batch = call.body.IdOf("batch"),
                             .from_raw = call.body.Flag("fromRaw"),
                             .reason = call.reason};
  if (mode == "isolate") request.mode = app::ReplayMode::kIsolate;
  if (mode == "commit") request.mode = app::ReplayMode::kCommit;
  const auto turn = PATRA_TRY(call.OperationsTurn());
  const auto report = PATRA_TRY(call.services.operations().Replay(request, call.actor));
  return Reply{JsonOf(ToValue(report, kDifferencesShown))};
}

// Whoever looks at what a definition brings asks for one page, and for nothing else.
Result<Reply> Preview(const Call& call) {
  app::PlanRequest request;
  request.source.target = call.body.Text("source");
  request.source.page_size = call.body.IntegerIfAny("pageSize");
  request.from = call.body.TextIfAny("from");
  request.to = call.body.TextIfAny("to");
  app::PreviewWish wish;
  wish.records_max = call.body.IntegerIfAny("records").value_or(wish.records_max);
  const auto turn = PATRA_TRY(call.OperationsTurn());
  const auto report = PATRA_TRY(call.services.operations().Preview(request, wish));
  if (!report.problems.empty()) return std::unexpected(report.problems.front());
  Value::Array pages;
  for (const auto& page : report.pages)
    pages.push_back(ToObject(FactsOf(page, kPreviewBytesShown)));
  Value::Array warnings;
  for (const auto& warning : report.warnings) warnings.emplace_back(Readable(warning));
  // What a provider wrote stays as it is.
  return Reply{JsonOf(Value::Object{{"source", report.source},
                                    {"endpoint", report.endpoint},
                                    {"window", report.window},
                                    {"warnings", std::move(warnings)},
                                    {"pages", std::move(pages)}},
                      Marks::kKeep)};
}

SchemaMember Wish(std::string name, Schema schema) {
  return {std::move(name), std::move(schema), false};
}

SchemaMember WhyPlanned() { return Wish("reason", Text("why, for the audit; or the header")); }

Schema PlanBody(Operation operation) {
  std::vector<SchemaMember> members{
      {"source", Text("SOURCE or SOURCE/ENDPOINT")},
      Wish("dryRun", Flag("slices and price, and nothing is written")),
      Wish("again", Flag("a new plan, also where the same one exists")),
      Wish("atOnce", Integer("how many of the plan's tasks run at a time", 1, 1'000)),
      Wish("priority", Integer("smaller is more urgent", 1, 9)),
      Wish("maxRequests", Integer("plan no more than so many requests", 1, kRequestsMost)),
      Wish("rate", Text("at most so fast, such as 1/s")),
      Wish("pageSize", Integer("at most so many records a page", 1, kPageSizeMost)),
      Wish("spread", Text("spread the starts of tasks over so long, such as 1h")),
      WhyPlanned()};
  const auto add = [&](const char* name, Schema schema) {
    members.push_back(Wish(name, std::move(schema)));
  };
  if (operation == Operation::kUpdate) {
    add("ids", ListOf(Text(), kIdsInBodyMax, "those of the provider"));
    add("stale",
        Text("those that nobody has looked at for so long; empty: as the definition says"));
    add("parts", Integer("of `stale`: one of so many parts a day", 1, 1'000));
    add("exprChanged", Flag("those that an older definition made"));
    add("signals", Flag("those that signals ask for"));
    return ObjectOf(std::move(members));
  }
  add("query", Text("in the provider's own syntax"));
  add("from", Text("a moment: 2026-01-31, -7d"));
  add("to", Text("a moment, excluded"));
  if (operation == Operation::kBackfill) {
    add("gaps", Flag("only what the ledger does not prove complete"));
    add("auto", Flag("one step further into the past than what is proven"));
    add("until", Text("of `auto`: where the past ends"));
    add("step", Text("of `auto`: how far"));
  }
  return ObjectOf(std::move(members));
}

Route PlanRoute(std::string path, std::string name, std::string about, Operation operation,
                Handler handler) {
  auto route = ChangingRoute(std::move(path), std::move(name), std::move(about),
                             PlanBody(operation), Named("PlanReport"), handler);
  route.statuses = {200, 201};
  return route;
}

// It changes nothing, but it asks a provider, with a credential.
Route PreviewRoute() {
  return ChangingRoute(
      "/api/v1/previews", "previewSource",
      "one page by the definition that is applied: its request, outline and records, raw and "
      "mapped; nothing is stored",
      ObjectOf({{"source", Text("SOURCE or SOURCE/ENDPOINT")},
                Wish("from", Text("a moment: 2026-01-31, -7d; default: a slice before `to`")),
                Wish("to", Text("a moment; default: now less the safety lag")),
                Wish("pageSize", Integer("at most so many records a page", 1, kPageSizeMost)),
                Wish("records", Integer("shown of the page", 0, kPreviewRecordsMost)),
                WhyPlanned()}),
      Named("Preview"), Preview);
}

}  // namespace

std::vector<Route> WorkRoutes() {
  using enum app::CancelRequest::Kind;
  const auto nothing_but_why = ObjectOf({WhyPlanned()});
  const auto cancelled = RowOf("slices:int tasks:int");
  return {
      PlanRoute("/api/v1/harvests", "planHarvest", "plan what is new, or a window of it",
                Operation::kHarvest, PlanOperation<Operation::kHarvest>),
      PlanRoute("/api/v1/backfills", "planBackfill", "plan a stretch of the past",
                Operation::kBackfill, PlanOperation<Operation::kBackfill>),
      PlanRoute("/api/v1/updates", "planUpdate", "plan to look at known records again",
                Operation::kUpdate, PlanOperation<Operation::kUpdate>),
      ChangingRoute("/api/v1/plans/{id}/cancel", "cancelPlan",
                    "withdraw a plan and all of its tasks that are not finished", nothing_but_why,
                    cancelled, Cancel<kPlan>),
      ChangingRoute("/api/v1/slices/{id}/cancel", "cancelSlice",
                    "withdraw a slice that is not finished", nothing_but_why, cancelled,
                    Cancel<kSlice>),
      ChangingRoute("/api/v1/tasks/{id}/cancel", "cancelTask",
                    "withdraw a task that is not finished", nothing_but_why, cancelled,
                    Cancel<kTask>),
      ChangingRoute("/api/v1/tasks/{id}/requeue", "requeueTask",
                    "queue a FAILED, PARTIAL or parked task again", nothing_but_why, Named("Task"),
                    RequeueTask),
      ChangingRoute(
          "/api/v1/cursors/set", "setCursor", "put a watermark elsewhere, also backwards",
          ObjectOf({{"cursor", Text("its id, or SOURCE/ENDPOINT for that of harvests")},
                    {"value", Text("a moment, such as 2026-03-29 or now-7d, or a number")},
                    WhyPlanned()}),
          RowOf("before:Cursor after:Cursor"), SetCursor, Access::kAdmin),
      ChangingRoute("/api/v1/repairs", "repair", "plan exactly what `verify` finds missing",
                    ObjectOf({{"source", Text("SOURCE or SOURCE/ENDPOINT")},
                              Wish("from", Text("a moment; default: the first one ever planned")),
                              Wish("to", Text("default: the last one")),
                              WhyPlanned()}),
                    PageOf("Repair"), RepairGaps),
      ChangingRoute("/api/v1/replays", "replayBatch",
                    "ask for a batch once more, and compare; `commit` stores what differs",
                    ObjectOf({{"run", {.kind = Schema::Kind::kId}},
                              {"batch", {.kind = Schema::Kind::kId}},
                              Wish("mode", OneOf({"report", "isolate", "commit"})),
                              Wish("fromRaw", Flag("read the page from the vault, ask nobody")),
                              WhyPlanned()}),
                    Named("Replay"), ReplayBatch),
      PreviewRoute(),
  };
}

}  // namespace patra::adapter::rest
