// What dashboards ask: how the queue moves, what came of a plan, how a watermark moved, what goes wrong most.
#include <algorithm>
#include <cctype>

#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "base/duration.h"
#include "contract/lineage.h"
#include "contract/timeline.h"

namespace patra::adapter::rest {
namespace {

constexpr Duration kWindowMost = std::chrono::days(31);

contract::DashboardFilter DashboardFilterOf(const Fields& arguments) {
  auto operation = arguments.Text("operation");
  std::ranges::transform(operation, operation.begin(),
                         [](unsigned char c) { return std::toupper(c); });
  return {.source = arguments.Text("source"),
          .endpoint = arguments.Text("endpoint"),
          .operation = operation};
}

Result<void> CheckScope(const Call& call, bool is_empty) {
  if (!is_empty) return {};
  return call.desk().names().CheckTarget(call.arguments.Text("source"),
                                         call.arguments.Text("endpoint"));
}

Result<Reply> ShowQueue(const Call& call) {
  const auto length = PATRA_TRY(ParseDuration(call.arguments.Text("window")));
  if (length <= Duration::zero() || length > kWindowMost)
    return Fail(ErrorCode::kInvalidInput, "window: it is longer than nothing, and 31d at most");
  const auto now = call.services.clock().Now();
  const auto snapshot = PATRA_TRY(
      call.desk().read().dashboard().Queue(DashboardFilterOf(call.arguments), {now - length, now}));
  PATRA_TRY(CheckScope(call, snapshot.rows.empty()));
  Reply reply{.body = "{\"from\":"};
  AppendJson(contract::TimeFact(snapshot.window.from), reply.body);
  reply.body += ",\"to\":";
  AppendJson(contract::TimeFact(snapshot.window.to), reply.body);
  reply.body += snapshot.parked_is_cut ? ",\"parkedIsCut\":true" : ",\"parkedIsCut\":false";
  reply.body += ",\"items\":[";
  for (const auto& row : snapshot.rows) {
    if (&row != snapshot.rows.data()) reply.body += ',';
    AppendJson(FactsOf(row, length), reply.body);
  }
  reply.body += "]}";
  return reply;
}

// `from` and `to` in steps of whole minutes.
Result<contract::PastSteps> StepsOf(const Call& call) {
  const auto now = call.services.clock().Now();
  const auto within = PATRA_TRY(StretchOf(call, {now - std::chrono::hours(6), now}));
  if (within.to - within.from > kWindowMost)
    return Fail(ErrorCode::kInvalidInput, "from, to: that is longer than 31d");
  return contract::PastSteps::Of(within, call.arguments.Number("steps"));
}

Result<Reply> ShowGateHistory(const Call& call) {
  const auto steps = PATRA_TRY(StepsOf(call));
  const auto history =
      PATRA_TRY(call.desk().read().dashboard().GateHistory(call.arguments.Text("key"), steps));
  return Reply{JsonOf(ToValue(history))};
}

Result<Reply> ShowQueueHistory(const Call& call) {
  const auto steps = PATRA_TRY(StepsOf(call));
  const auto history = PATRA_TRY(
      call.desk().read().dashboard().WorkHistory(DashboardFilterOf(call.arguments), steps));
  PATRA_TRY(CheckScope(call, history.endpoints.empty()));
  return Reply{JsonOf(ToValue(history))};
}

Result<Reply> ShowLineage(const Call& call) {
  std::optional<contract::LedgerPlace> after;
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "lineage", "i")))
    after = contract::LedgerPlace{.id = *(*place)[0].AsInteger()};
  const auto lineage =
      PATRA_TRY(contract::LineageOf(call.desk().read().ledger(), call.arguments.IdOf("id"), after,
                                    {.slices_max = call.arguments.Number("limit"),
                                     .runs_max = call.arguments.Number("runs"),
                                     .batches_max = call.arguments.Number("batches")}));
  Reply reply{.body = "{\"plan\":"};
  AppendJson(FactsOf(lineage.plan), reply.body);
  reply.body += ",\"items\":[";
  for (const auto& slice : lineage.slices) {
    if (&slice != lineage.slices.data()) reply.body += ',';
    AppendJson(FactsOf(slice), reply.body);
  }
  reply.body += "],\"next\":";
  AppendJson(lineage.has_more_slices
                 ? Value(PlaceToken("lineage", {lineage.slices.back().slice.id}))
                 : Value(),
             reply.body);
  reply.body += '}';
  return reply;
}

Result<Reply> ShowCursorSteps(const Call& call) {
  auto& ledger = call.desk().read().ledger();
  const auto cursor = PATRA_TRY(ledger.Cursor(call.arguments.IdOf("id")));
  const auto within = PATRA_TRY(StretchOf(call, contract::kAlways));
  return WholeReply(PATRA_TRY(ledger.EventsOf(cursor, within, call.arguments.Number("limit"))),
                    [](const contract::CursorEventRow& event, std::string& out) {
                      AppendJson(FactsOf(event), out);
                    });
}

Result<Reply> ShowTopErrors(const Call& call) {
  const auto now = call.services.clock().Now();
  auto level = call.arguments.Text("level");
  const auto top = PATRA_TRY(call.desk().read().dashboard().TopErrors(
      {.filter = DashboardFilterOf(call.arguments),
       .level = std::move(level),
       .within = PATRA_TRY(StretchOf(call, {now - std::chrono::days(1), now})),
       .kinds_max = call.arguments.Number("limit")}));
  PATRA_TRY(CheckScope(call, top.rows.empty()));
  Reply reply{.body = top.is_cut ? "{\"isCut\":true,\"items\":[" : "{\"isCut\":false,\"items\":["};
  for (const auto& row : top.rows) {
    if (&row != top.rows.data()) reply.body += ',';
    AppendJson(FactsOf(row), reply.body);
  }
  reply.body += "]}";
  return reply;
}

Parameter Bounded(const char* name, const char* about, int usual, int most) {
  return {.name = name, .schema = Integer(about, 1, most), .standard = Value(usual)};
}

std::vector<Parameter> WithSteps(std::vector<Parameter> parameters) {
  parameters.push_back({"from", Text("a moment; default: six hours ago")});
  parameters.push_back({"to", Text("a moment; default: now")});
  parameters.push_back(Bounded("steps", "at most so many, of whole minutes", 120, 500));
  return parameters;
}

// What was sent and done, over time.
std::vector<Route> HistoryRoutes(const std::vector<Parameter>& scope) {
  return {{.path = "/api/v1/queue/history",
           .name = "showQueueHistory",
           .about = "claims, batches, requests and their shares over time, of all and by endpoint",
           .access = domain::Access::kViewer,
           .parameters = WithSteps(scope),
           .answer = Named("QueueHistory"),
           .handler = ShowQueueHistory},
          {.path = "/api/v1/gate/history",
           .name = "showGateHistory",
           .about = "what was sent under the keys of the rate gate over time, and what was allowed",
           .access = domain::Access::kViewer,
           .parameters = WithSteps({{"key", Text("only this key; default: all")}}),
           .answer = Named("GateHistory"),
           .handler = ShowGateHistory}};
}

std::vector<Route> LookingRoutes(const std::vector<Parameter>& scope) {
  auto queue = scope;
  queue.push_back({"window", Text("over which is counted what was done"), Value("1h")});
  auto errors = scope;
  errors.push_back({"level", OneOf({"L1", "L2", "L3", "L4"}, "how grave")});
  errors.push_back({"from", Text("a moment; default: a day ago")});
  errors.push_back({"to", Text("a moment; default: now")});
  errors.push_back(Bounded("limit", "at most so many kinds", 20, 200));
  return {{.path = "/api/v1/queue",
           .name = "showQueue",
           .about = "how many tasks wait and run, and what was done within the window",
           .access = domain::Access::kViewer,
           .parameters = std::move(queue),
           .answer = RowOf("from:time to:time parkedIsCut:flag items:[QueueRow]"),
           .handler = ShowQueue},
          {.path = "/api/v1/plans/{id}/lineage",
           .name = "showPlanLineage",
           .about = "a plan with its slices, their tasks, runs and newest batches",
           .access = domain::Access::kViewer,
           .parameters = {Bounded("limit", "slices", 20, 100), AfterParameter(),
                          Bounded("runs", "of each task, the newest", 10, 50),
                          Bounded("batches", "of each run, the newest", 10, 50)},
           .answer = RowOf("plan:Plan items:[SliceLineage] next:text?"),
           .handler = ShowLineage},
          {.path = "/api/v1/cursors/{id}/steps",
           .name = "listCursorSteps",
           .about = "how the watermark moved, and which moves were refused, newest first",
           .access = domain::Access::kViewer,
           .parameters = {{"from", Text("a moment; default: the first step")},
                          {"to", Text("a moment; default: the last one")},
                          LimitParameter()},
           .answer = PageOf("CursorStep"),
           .handler = ShowCursorSteps},
          {.path = "/api/v1/errors/top",
           .name = "showTopErrors",
           .about = "why batches fail, the most frequent first, each with its newest batch",
           .access = domain::Access::kViewer,
           .parameters = std::move(errors),
           .answer = RowOf("isCut:flag items:[ErrorKind]"),
           .handler = ShowTopErrors}};
}

}  // namespace

std::vector<Route> DashboardRoutes() {
  const std::vector<Parameter> scope{{"source", Text("only of this source")},
                                     {"endpoint", Text("only of this endpoint")},
                                     {"operation", Text("harvest, update or backfill")}};
  auto routes = LookingRoutes(scope);
  for (auto& route : HistoryRoutes(scope)) routes.push_back(std::move(route));
  return routes;
}

}  // namespace patra::adapter::rest
