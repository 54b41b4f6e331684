#include "domain/source/request_templates.h"

#include <utility>

#include <fmt/format.h>

namespace patra::domain {
namespace {

Result<std::vector<NamedTemplate>> CompileAll(std::string_view kind, const NamedTexts& texts) {
  std::vector<NamedTemplate> templates;
  for (const auto& [name, text] : texts) {
    auto compiled = Template::Compile(text);
    if (!compiled)
      return std::unexpected(
          std::move(compiled).error().While(fmt::format("the {} '{}'", kind, name)));
    templates.push_back({name, *std::move(compiled)});
  }
  return templates;
}

}  // namespace

Result<RequestTemplates> RequestTemplates::Compile(const HttpSpec& http,
                                                   const std::optional<HookSpec>& hooks) {
  auto path = Template::Compile(http.path);
  if (!path) return std::unexpected(std::move(path).error().While("the request's path"));
  RequestTemplates templates{.path = *std::move(path)};
  templates.query = PATRA_TRY(CompileAll("parameter", http.query));
  if (http.next_query) templates.next_query = PATRA_TRY(CompileAll("parameter", *http.next_query));
  templates.headers = PATRA_TRY(CompileAll("header", http.headers));
  templates.form_body = PATRA_TRY(CompileAll("parameter", http.form_body));
  if (!http.json_body.is_null()) {
    auto body = ValueTemplate::Compile(http.json_body);
    if (!body) return std::unexpected(std::move(body).error().While("the request's body"));
    templates.json_body = *std::move(body);
  }
  if (hooks && hooks->request) templates.hook = PATRA_TRY(FindRequestHook(*hooks->request));
  return templates;
}

}  // namespace patra::domain
