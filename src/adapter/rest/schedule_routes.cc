// Jobs that fire by themselves, and what their firings came to.
#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "app/api/report_facts.h"
#include "base/canonical_json.h"

namespace patra::adapter::rest {
namespace {

constexpr int kOccurrencesMost = 1'000;

contract::Facts WithLast(const app::JobReport& report) {
  auto facts = app::FactsOf(report.job);
  facts.push_back({"last", report.last ? contract::ToObject(app::FactsOf(*report.last)) : Value()});
  return facts;
}

Reply JobReply(const app::JobReport& report) {
  Reply reply;
  AppendJson(WithLast(report), reply.body);
  return reply;
}

Result<Reply> ListJobs(const Call& call) {
  const auto jobs = PATRA_TRY(
      call.desk().schedule().List(call.arguments.Text("source"), call.arguments.Number("limit")));
  return WholeReply(jobs, [](const app::JobReport& report, std::string& out) {
    AppendJson(WithLast(report), out);
  });
}

Result<Reply> ShowJob(const Call& call) {
  return JobReply(PATRA_TRY(call.desk().schedule().Show(call.arguments.Text("job"))));
}

Result<Reply> ListExecutions(const Call& call) {
  const auto executions =
      PATRA_TRY(call.desk().schedule().Log({.job = call.arguments.Text("job"),
                                            .status = call.arguments.Text("status"),
                                            .executions_max = call.arguments.Number("limit")}));
  return WholeReply(executions, [](const domain::Execution& execution, std::string& out) {
    AppendJson(app::FactsOf(execution), out);
  });
}

Result<Reply> ListOccurrences(const Call& call) {
  const auto coming = PATRA_TRY(
      call.desk().schedule().Next(call.arguments.Text("job"), call.arguments.Number("count")));
  return WholeReply(coming, [](const app::Occurrence& occurrence, std::string& out) {
    AppendJson(
        Value(Value::Object{{"at", FormatRfc3339(occurrence.at)}, {"local", occurrence.local}}),
        out);
  });
}

Result<Reply> PutJob(const Call& call) {
  const auto& body = call.body;
  const auto* arguments = body.Find("arguments");
  // Overrides lead requests and credentials where whoever writes them likes.
  if (arguments != nullptr && arguments->Find("set") != nullptr) {
    return Fail(ErrorCode::kInvalidInput,
                "arguments.set: what overrides a definition is not taken here", {},
                "change the definition, or set the job on the command line");
  }
  const auto put = PATRA_TRY(call.changes().schedule().Put(
      {.id = call.arguments.Text("job"),
       .target = body.TextIfAny("source"),
       .operation = body.TextIfAny("operation"),
       .cron = body.TextIfAny("cron"),
       .timezone = body.TextIfAny("timezone"),
       .arguments = arguments == nullptr ? std::nullopt : std::optional(CanonicalJson(*arguments)),
       .query = body.TextIfAny("query"),
       .misfire = body.TextIfAny("misfire"),
       .jitter = body.TextIfAny("jitter"),
       .enabled = body.Has("enabled") ? std::optional(body.Flag("enabled")) : std::nullopt,
       .reason = call.reason},
      call.actor));
  if (!put.problems.empty()) return std::unexpected(put.problems.front());
  return JobReply(PATRA_TRY(call.changes().schedule().Show(put.job.id)));
}

template <Result<void> (app::Schedule::*kChange)(const std::string&, const std::string&,
                                                 const domain::Actor&)>
Result<Reply> ChangeJob(const Call& call) {
  const auto job = call.arguments.Text("job");
  PATRA_TRY((call.changes().schedule().*kChange)(job, call.reason, call.actor));
  Reply reply;
  AppendJson(Value(Value::Object{{"job", job}}), reply.body);
  return reply;
}

Result<Reply> TriggerJob(const Call& call) {
  const auto execution = PATRA_TRY(
      call.changes().schedule().Trigger(call.arguments.Text("job"), call.reason, call.actor));
  Reply reply;
  AppendJson(app::FactsOf(execution), reply.body);
  return reply;
}

Schema JobBody() {
  const auto maybe = [](std::string name, Schema schema) {
    return SchemaMember{std::move(name), std::move(schema), false};
  };
  return ObjectOf(
      {maybe("source", Text("SOURCE or SOURCE/ENDPOINT; a new job needs one")),
       maybe("operation", OneOf({"HARVEST", "BACKFILL", "UPDATE"})),
       maybe("cron", Text("five or six fields, or @daily and the like; a new job needs one")),
       maybe("timezone", Text("an IANA name, such as Europe/Berlin")),
       maybe("arguments",
             {.kind = Schema::Kind::kMap,
              .about = "names with values, such as stale or from; `set` is for the command line",
              .inner = std::make_shared<Schema>(Schema{.kind = Schema::Kind::kAny})}),
       maybe("query", Text("in the provider's own syntax; empty: none")),
       maybe("misfire", OneOf({"ONCE", "SKIP"})), maybe("jitter", Text("such as 10m")),
       maybe("enabled", Flag()), ReasonMember()});
}

}  // namespace

std::vector<Route> ScheduleRoutes() {
  return {ReadingRoute("/api/v1/jobs", "listJobs", "what fires by itself, with its last execution",
                       {{"source", Text("only this one's")}, LimitParameter()}, PageOf("Job"),
                       ListJobs),
          ReadingRoute("/api/v1/jobs/{job}", "showJob", "one job", {}, Named("Job"), ShowJob),
          ReadingRoute(
              "/api/v1/jobs/{job}/next", "listOccurrences", "when it fires, as if it were enabled",
              {{"count", Integer("how many", 1, kOccurrencesMost), Value(std::int64_t{5})}},
              PageOf("Occurrence"), ListOccurrences),
          ReadingRoute("/api/v1/executions", "listExecutions",
                       "what fired and what came of it, newest first",
                       {{"job", Text("only this one's")},
                        {"status", OneOf({"PENDING", "RUNNING", "SUCCESS", "FAILED", "SKIPPED"})},
                        LimitParameter()},
                       PageOf("Execution"), ListExecutions),
          ChangingRoute("/api/v1/jobs/{job}", "putJob",
                        "make or change a job; what is not said stays as it is", JobBody(),
                        Named("Job"), PutJob),
          ChangingRoute("/api/v1/jobs/{job}/enable", "enableJob", "let it fire by itself",
                        ObjectOf({ReasonMember()}), RowOf("job:text"),
                        ChangeJob<&app::Schedule::Enable>),
          ChangingRoute("/api/v1/jobs/{job}/disable", "disableJob", "let it fire no more",
                        ObjectOf({ReasonMember()}), RowOf("job:text"),
                        ChangeJob<&app::Schedule::Disable>),
          ChangingRoute("/api/v1/jobs/{job}/remove", "removeJob",
                        "forget it; what it did stays in the log", ObjectOf({ReasonMember()}),
                        RowOf("job:text"), ChangeJob<&app::Schedule::Remove>),
          ChangingRoute("/api/v1/jobs/{job}/trigger", "triggerJob",
                        "fire it now, whatever its timetable says", ObjectOf({ReasonMember()}),
                        Named("Execution"), TriggerJob)};
}

}  // namespace patra::adapter::rest
