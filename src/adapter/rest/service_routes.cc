// The store as a whole, the service itself, and what is proven.
#include "adapter/rest/answerer.h"
#include "adapter/rest/event_hub.h"
#include "adapter/rest/open_api.h"
#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "app/api/report_facts.h"
#include "domain/word/source_target.h"

namespace patra::adapter::rest {
namespace {

Result<Reply> ShowStatus(const Call& call) {
  return Reply{
      JsonOf(ToValue(PATRA_TRY(call.desk().read().status().Status(call.services.clock().Now()))))};
}

Result<Reply> ShowCaller(const Call& call) {
  return Reply{JsonOf(
      Value::Object{{"name", call.actor.name}, {"role", domain::LowerCode(CodeOf(call.access))}})};
}

Result<Reply> Verify(const Call& call) {
  const auto target = call.arguments.Text("source");
  const auto named = domain::TargetOf(target);
  PATRA_TRY(call.desk().names().CheckTarget(named.source, named.endpoint.value_or("")));
  return WholeReply(
      PATRA_TRY(call.desk().verification().Certify({.target = target,
                                                    .from = call.arguments.TextIfAny("from"),
                                                    .to = call.arguments.TextIfAny("to")})),
      [](const contract::Certificate& certificate, std::string& out) {
        AppendJson(ToValue(certificate), out);
      });
}

Reply ReplyOf(HttpAnswer answer) { return {std::move(answer.body), answer.status}; }

Result<Reply> ShowAlive(const Call&) { return ReplyOf(AliveAnswer()); }

Result<Reply> ShowReady(const Call& call) { return ReplyOf(ReadyAnswer(call.services.NotReady())); }

Result<Reply> ShowMetrics(const Call& call) { return Reply{call.services.Metrics()}; }

Result<Reply> ListenToEvents(const Call& call) {
  return Reply{.body = {}, .feed = PATRA_TRY(call.events.Listen(call.heard))};
}

Result<Reply> ShowOpenApi(const Call&) { return Reply{OpenApiText()}; }

}  // namespace

std::vector<Route> ServiceRoutes() {
  return {
      {.path = "/api/v1/status",
       .name = "showStatus",
       .about = "one screen: how far each source is, what runs, waits and is broken",
       .access = domain::Access::kViewer,
       .answer = Named("Status"),
       .handler = ShowStatus},
      {.path = "/api/v1/caller",
       .name = "showCaller",
       .about = "who asks, and what they may: viewer, operator or admin",
       .access = domain::Access::kViewer,
       .answer = RowOf("name:text role:text"),
       .handler = ShowCaller},
      {.path = "/api/v1/verify",
       .name = "verify",
       .about = "what is proven complete, by what, and what is not",
       .access = domain::Access::kViewer,
       .parameters = {{"source", Text("SOURCE or SOURCE/ENDPOINT"), {}, true},
                      {"from", Text("a moment; default: the first one ever planned")},
                      {"to", Text("default: the last one")}},
       .answer = PageOf("Certificate"),
       .handler = Verify},
      {.path = "/api/v1/openapi.json",
       .name = "showOpenApi",
       .about = "this description",
       .answer = {.kind = Schema::Kind::kAny},
       .handler = ShowOpenApi},
      {.path = "/api/v1/events",
       .name = "listenToEvents",
       .about =
           "what changes, as server-sent events: queue, run, alerts, status; Last-Event-ID goes on",
       .access = domain::Access::kViewer,
       .answer = Text(),
       .handler = ListenToEvents,
       .kind = AnswerKind::kEvents},
      {.path = std::string(kAlivePath),
       .name = "showAlive",
       .about = "whether the process answers",
       .answer = RowOf("status:text"),
       .handler = ShowAlive},
      {.path = std::string(kReadyPath),
       .name = "showReady",
       .about = "whether it can serve, and why not",
       .answer = RowOf("ready:flag reasons:[text]"),
       .handler = ShowReady,
       .statuses = {200, 503}},
      {.path = "/metrics",
       .name = "showMetrics",
       .about = "numbers for Prometheus",
       .access = domain::Access::kViewer,
       .answer = Text(),
       .handler = ShowMetrics,
       .kind = AnswerKind::kMetrics},
  };
}

}  // namespace patra::adapter::rest
