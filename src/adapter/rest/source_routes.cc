// Definitions, and what holds of them.
#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"
#include "app/api/report_facts.h"

namespace patra::adapter::rest {
namespace {

Value::Array FindingsOf(const std::vector<Error>& problems, const std::vector<Error>& warnings) {
  Value::Array findings;
  for (const auto& problem : problems)
    findings.push_back(ToObject(app::FactsOfFinding(problem, "error")));
  for (const auto& warning : warnings)
    findings.push_back(ToObject(app::FactsOfFinding(warning, "warning")));
  return findings;
}

Result<Reply> ListSources(const Call& call) {
  const std::lock_guard lock(call.turns.library);
  return WholeReply(
      PATRA_TRY(call.services.library().List()),
      [](const app::SourceSummary& source, std::string& out) { AppendJson(FactsOf(source), out); });
}

Result<Reply> CheckSources(const Call& call) {
  const std::lock_guard lock(call.turns.library);
  const auto check = PATRA_TRY(call.services.library().Check(call.arguments.TextIfAny("source")));
  return Reply{JsonOf(Value::Object{{"definitions", check.definitions},
                                    {"endpoints", check.endpoints},
                                    {"findings", FindingsOf(check.problems, check.warnings)}})};
}

Result<Reply> ShowDefinition(const Call& call) {
  const std::lock_guard lock(call.turns.library);
  return Reply{PATRA_TRY(call.services.library().ReadDefinition(call.arguments.Text("source")))};
}

Result<Reply> ShowCompiled(const Call& call) {
  const std::lock_guard lock(call.turns.library);
  auto target = call.arguments.Text("source");
  if (const auto endpoint = call.arguments.TextIfAny("endpoint")) target += "/" + *endpoint;
  const auto report = PATRA_TRY(call.services.library().Compile(target, {}));
  Value::Array origins;
  for (const auto& origin : report.origins) {
    origins.push_back(Value::Object{{"path", origin.path},
                                    {"is", origin.text},
                                    {"from", origin.layer},
                                    {"where", origin.place}});
  }
  return Reply{JsonOf(Value::Object{
      {"source", report.source},
      {"endpoint", report.endpoint},
      {"specFingerprint", report.spec_fingerprint},
      {"exprProtoHash", report.expr_proto_hash},
      {"snapshot", report.problems.empty() ? contract::JsonFact(report.snapshot) : Value()},
      {"origins", std::move(origins)},
      {"findings", FindingsOf(report.problems, report.warnings)}})};
}

}  // namespace

std::vector<Route> SourceRoutes() {
  return {{.path = "/api/v1/sources",
           .name = "listSources",
           .about = "the definitions there are",
           .access = domain::Access::kViewer,
           .answer = PageOf("Source"),
           .handler = ListSources},
          {.path = "/api/v1/sources/check",
           .name = "checkSources",
           .about = "what is wrong with definitions, offline",
           .access = domain::Access::kViewer,
           .parameters = {{"source", Text("only this one")}},
           .answer = Named("SourceCheck"),
           .handler = CheckSources},
          {.path = "/api/v1/sources/{source}",
           .name = "showSource",
           .about = "the definition compiled, each value with where it came from",
           .access = domain::Access::kViewer,
           .parameters = {{"endpoint", Text("which; default: the first")}},
           .answer = Named("CompiledSource"),
           .handler = ShowCompiled},
          {.path = "/api/v1/sources/{source}/definition",
           .name = "showDefinition",
           .about = "the definition as it is written, in YAML",
           .access = domain::Access::kViewer,
           .answer = Text(),
           .handler = ShowDefinition,
           .kind = AnswerKind::kPlainText}};
}

}  // namespace patra::adapter::rest
