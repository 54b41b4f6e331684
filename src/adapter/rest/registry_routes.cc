// Definitions that are in force: put in force by the folder, and read by planners elsewhere.
#include "adapter/rest/page.h"
#include "adapter/rest/routes.h"

namespace patra::adapter::rest {
namespace {

using domain::Access;

Reply ToldOf(Value::Object object) { return Reply{JsonOf(Value(std::move(object)))}; }

Result<Reply> ChangesOf(const Result<app::RegistryReport>& report) {
  if (!report) return std::unexpected(report.error());
  if (!report->problems.empty()) return std::unexpected(report->problems.front());
  return ToldOf({{"changes", Value::Array(report->changes.begin(), report->changes.end())}});
}

Result<Reply> CompareRegistry(const Call& call) {
  return ChangesOf(call.desk().registry_moves().Compare());
}

Result<Reply> ApplyRegistry(const Call& call) {
  return ChangesOf(call.changes().registry_moves().Apply(call.body.TextIfAny("from")));
}

Result<Reply> PromoteRelease(const Call& call) {
  return ChangesOf(call.changes().registry_moves().Promote());
}

Result<Reply> DropRelease(const Call& call) {
  return ChangesOf(call.changes().registry_moves().Drop());
}

Result<Reply> FindRegistered(const Call& call) {
  const auto source = call.arguments.Text("source");
  auto found = PATRA_TRY(call.desk().registry_moves().Find(source, std::string(call.known)));
  if (!found) return Reply{.status = 304, .mark = std::string(call.known)};
  auto reply =
      ToldOf({{"source", source},
              {"version", found->version},
              {"text", found->text.empty() ? Value() : Value(found->text)},
              {"until", found->until ? Value(FormatRfc3339Micros(*found->until)) : Value()}});
  reply.mark = std::move(found->version);
  return reply;
}

Result<Reply> ListCodes(const Call& call) {
  const auto codes = PATRA_TRY(call.desk().registry_moves().Codes());
  return WholeReply(codes, [](const app::DictionaryCode& code, std::string& out) {
    AppendJson(contract::Facts{{"type", code.type},
                               {"code", code.code},
                               {"enabled", code.is_enabled},
                               {"aliases", Value::Array(code.aliases.begin(), code.aliases.end())}},
               out);
  });
}

Result<Reply> ExportRegistry(const Call& call) {
  const auto exported =
      PATRA_TRY(call.desk().registry_moves().Export(call.arguments.TextIfAny("at")));
  return WholeReply(exported, [](const app::ExportedDefinition& definition, std::string& out) {
    AppendJson(contract::Facts{{"name", definition.name}, {"text", definition.text}}, out,
               Marks::kKeep);
  });
}

SchemaMember Why() { return {"reason", Text("why, for the audit; or the header"), false}; }

}  // namespace

std::vector<Route> RegistryRoutes() {
  return {
      {.path = "/api/v1/registry/diff",
       .name = "compareRegistry",
       .about = "what the definitions of the folder would change",
       .access = Access::kViewer,
       .answer = RowOf("changes:[text]"),
       .handler = CompareRegistry},
      ChangingRoute("/api/v1/registry/apply", "applyRegistry",
                    "put all of the folder's definitions in force",
                    ObjectOf({{"from", Text("from that moment on; default: now"), false}, Why()}),
                    RowOf("changes:[text]"), ApplyRegistry, Access::kAdmin),
      ChangingRoute("/api/v1/registry/promote", "promoteRelease",
                    "make everybody's what was applied for the release of the service",
                    ObjectOf({Why()}), RowOf("changes:[text]"), PromoteRelease, Access::kAdmin),
      ChangingRoute("/api/v1/registry/drop", "dropRelease",
                    "take back what was applied for the release of the service", ObjectOf({Why()}),
                    RowOf("changes:[text]"), DropRelease, Access::kAdmin),
      {.path = "/api/v1/registry/sources/{source}",
       .name = "findRegistered",
       .about = "one source that is in force, for planners elsewhere; its ETag, sent as "
                "If-None-Match, is "
                "answered by 304 while nothing changes",
       .access = Access::kViewer,
       .answer = RowOf("source:text version:text text:text? until:time?"),
       .handler = FindRegistered,
       .statuses = {200, 304}},
      {.path = "/api/v1/registry/codes",
       .name = "listCodes",
       .about = "the dictionary of codes, and what other systems call them",
       .access = Access::kViewer,
       .answer = PageOf("DictionaryCode"),
       .handler = ListCodes},
      {.path = "/api/v1/registry/export",
       .name = "exportRegistry",
       .about = "each source that is in force, as a definition",
       .access = Access::kViewer,
       .parameters = {{"at", Text("at that moment; default: now")}},
       .answer = PageOf("ExportedDefinition"),
       .handler = ExportRegistry},
  };
}

}  // namespace patra::adapter::rest
