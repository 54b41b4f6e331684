#include "adapter/rest/open_api.h"

#include <fmt/format.h>

#include "adapter/rest/named_schemas.h"
#include "adapter/rest/problem.h"
#include "adapter/rest/routes.h"

namespace patra::adapter::rest {
namespace {

Value PathParameter(std::string_view piece) {
  const auto name = piece.substr(1, piece.size() - 2);
  const Schema schema{.kind = IsIdPiece(piece) ? Schema::Kind::kId : Schema::Kind::kText};
  return Value::Object{
      {"name", name}, {"in", "path"}, {"required", true}, {"schema", ToValue(schema)}};
}

Value QueryParameter(const Parameter& parameter) {
  auto schema = ToValue(parameter.schema);
  if (!parameter.standard.is_null()) schema["default"] = parameter.standard;
  return Value::Object{{"name", parameter.name},
                       {"in", "query"},
                       {"required", parameter.is_required},
                       {"schema", std::move(schema)}};
}

Value HeaderParameter(const char* name, const char* about) {
  return Value::Object{{"name", name},
                       {"in", "header"},
                       {"required", false},
                       {"description", about},
                       {"schema", ToValue(Text())}};
}

Value::Array ParametersOf(const Route& route) {
  Value::Array parameters;
  std::string_view path = route.path;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto end = std::min(path.find('/'), path.size());
    const auto piece = path.substr(0, end);
    if (piece.starts_with('{')) parameters.push_back(PathParameter(piece));
    path.remove_prefix(end);
  }
  for (const auto& parameter : route.parameters) parameters.push_back(QueryParameter(parameter));
  if (route.needs_reason) {
    parameters.push_back(
        HeaderParameter("X-Patra-Reason", "why, for the audit; or `reason` in the body"));
    parameters.push_back(HeaderParameter(
        "Idempotency-Key", "the same request under the same key is done once within a day"));
  }
  return parameters;
}

Value Content(std::string_view type, Value schema) {
  const auto media = type.substr(0, type.find(';'));
  return Value::Object{{std::string(media), Value::Object{{"schema", std::move(schema)}}}};
}

constexpr int kNothingNew = 304;

Value ResponsesOf(const Route& route) {
  Value::Object responses;
  for (const auto status : route.statuses) {
    if (status == kNothingNew) {
      responses[fmt::to_string(status)] = Value::Object{{"description", "it is as it was"}};
      continue;
    }
    responses[fmt::to_string(status)] =
        Value::Object{{"description", status < 400 ? "as asked" : std::string(TitleOf(status))},
                      {"content", Content(ContentTypeOf(route.kind), ToValue(route.answer))}};
  }
  responses["default"] = Value::Object{{"$ref", "#/components/responses/Problem"}};
  return responses;
}

Value OperationOf(const Route& route) {
  Value::Object operation{{"operationId", route.name},
                          {"summary", route.about},
                          {"parameters", ParametersOf(route)},
                          {"responses", ResponsesOf(route)}};
  if (route.access) {
    operation["security"] = Value::Array{Value::Object{{"token", Value::Array{}}}};
    operation["x-patra-role"] = domain::LowerCode(CodeOf(*route.access));
  } else {
    operation["security"] = Value::Array{};
  }
  if (route.body) {
    operation["requestBody"] = Value::Object{
        {"required", false}, {"content", Content("application/json", ToValue(*route.body))}};
  }
  return operation;
}

std::string Lowered(Method method) { return method == Method::kGet ? "get" : "post"; }

Value Description() {
  Value::Object paths;
  for (const auto& route : AllRoutes()) {
    auto& path = paths[route.path];
    path[Lowered(route.method)] = OperationOf(route);
  }
  Value::Object schemas;
  for (const auto& [name, schema] : AllNamedSchemas()) schemas[name] = ToValue(schema);
  return Value::Object{
      {"openapi", "3.1.0"},
      {"info", Value::Object{{"title", "patra"},
                             {"version", PATRA_VERSION},
                             {"description",
                              "A harvester of web APIs with a ledger. Ids are strings, times are "
                              "RFC 3339, lists come in pages, errors are problems (RFC 9457)."}}},
      {"paths", std::move(paths)},
      {"components",
       Value::Object{
           {"schemas", std::move(schemas)},
           {"responses",
            Value::Object{
                {"Problem", Value::Object{{"description", "what is wrong, and what to do"},
                                          {"content", Content("application/problem+json",
                                                              ToValue(Named("Problem")))}}}}},
           {"securitySchemes",
            Value::Object{{"token", Value::Object{{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace

std::string OpenApiText() {
  static const auto text = PrintJson(Description(), 2) + "\n";
  return text;
}

}  // namespace patra::adapter::rest
