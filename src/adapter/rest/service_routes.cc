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

constexpr int kShownMost = 100'000;
constexpr int kDaysUsual = 3'660;
constexpr int kDaysMost = 36'600;

Result<app::VerifyRequest> VerifyRequestOf(const Call& call) {
  const auto target = call.arguments.Text("source");
  const auto named = domain::TargetOf(target);
  PATRA_TRY(call.desk().names().CheckTarget(named.source, named.endpoint.value_or("")));
  return app::VerifyRequest{.target = target,
                            .from = call.arguments.TextIfAny("from"),
                            .to = call.arguments.TextIfAny("to")};
}

Result<Reply> Verify(const Call& call) {
  const contract::ShownOfCertificate shown{
      .gaps_max = static_cast<std::size_t>(call.arguments.Number("gaps")),
      .proofs_max = static_cast<std::size_t>(call.arguments.Number("proofs"))};
  auto request = PATRA_TRY(VerifyRequestOf(call));
  request.days_max = call.arguments.Number("days");
  return WholeReply(PATRA_TRY(call.desk().verification().Certify(request)),
                    [&](const contract::Certificate& certificate, std::string& out) {
                      AppendJson(ToValue(certificate, shown), out);
                    });
}

Result<Reply> VerifyDays(const Call& call) {
  std::optional<Instant> first;
  if (const auto place = PATRA_TRY(PlaceIn(call.arguments, "days", "i")))
    first = Instant(Duration(*(*place)[0].AsInteger()));
  const auto page = PATRA_TRY(call.desk().verification().Days(
      PATRA_TRY(VerifyRequestOf(call)), first, call.arguments.Number("limit")));
  Value::Array items;
  for (const auto& days : page.days) items.push_back(ToValue(days));
  const auto next =
      page.next ? Value(PlaceToken("days", {page.next->time_since_epoch().count()})) : Value();
  return Reply{JsonOf(Value::Object{{"items", std::move(items)}, {"next", next}})};
}

std::vector<Parameter> VerifyParameters() {
  return {{"source", Text("SOURCE or SOURCE/ENDPOINT"), {}, true},
          {"from", Text("a moment; default: the first one ever planned")},
          {"to", Text("default: the last one")}};
}

std::vector<Route> VerifyRoutes() {
  auto whole = VerifyParameters();
  const auto bounded = [&](const char* name, const char* about, int most, int standard) {
    whole.push_back({.name = name, .schema = Integer(about, 0, most), .standard = Value(standard)});
  };
  bounded("gaps", "of each certificate, so many gaps at most", kShownMost, kShownMost);
  bounded("proofs", "of each certificate, so many proofs at most", kShownMost, kShownMost);
  bounded("days", "so many days one by one; later ones by the next call", kDaysMost, 0);
  auto days = VerifyParameters();
  days.push_back({.name = "limit",
                  .schema = Integer("at most so many days", 1, kDaysMost),
                  .standard = Value(kDaysUsual)});
  days.push_back(AfterParameter());
  return {{.path = "/api/v1/verify",
           .name = "verify",
           .about = "what is proven complete, by what, and what is not",
           .access = domain::Access::kViewer,
           .parameters = std::move(whole),
           .answer = PageOf("Certificate"),
           .handler = Verify},
          {.path = "/api/v1/verify/days",
           .name = "verifyDays",
           .about = "the same day by day: the worst of each, its slices and records",
           .access = domain::Access::kViewer,
           .parameters = std::move(days),
           .answer = PageOf("ProofDays"),
           .handler = VerifyDays}};
}

Reply ReplyOf(HttpAnswer answer) { return {std::move(answer.body), answer.status}; }

Result<Reply> ShowAlive(const Call&) { return ReplyOf(AliveAnswer()); }

Result<Reply> ShowReady(const Call& call) { return ReplyOf(ReadyAnswer(call.services.NotReady())); }

Result<Reply> ShowMetrics(const Call& call) { return Reply{call.services.Metrics()}; }

Result<Reply> ListenToEvents(const Call& call) {
  return Reply{.body = {}, .feed = PATRA_TRY(call.events.Listen(call.heard))};
}

Result<Reply> ShowOpenApi(const Call&) { return Reply{OpenApiText()}; }

std::vector<Route> RoutesOfTheProcess() {
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

}  // namespace

std::vector<Route> ServiceRoutes() {
  auto routes = VerifyRoutes();
  for (auto& route : RoutesOfTheProcess()) routes.push_back(std::move(route));
  return routes;
}

}  // namespace patra::adapter::rest
