#include "domain/spec/compile_source.h"

#include <fmt/format.h>

#include "base/close_match.h"
#include "domain/spec/check_codes.h"
#include "domain/spec/check_spec.h"
#include "domain/spec/decode_spec.h"
#include "domain/spec/dictionary_types.h"
#include "domain/spec/merged_view.h"
#include "domain/spec/shape.h"

namespace patra::domain {
namespace {

void CollectOrigins(const DefinitionNode& node, const std::string& path,
                    std::vector<Origin>& origins) {
  if (node.is_scalar()) origins.push_back({path, node.text, node.layer, node.place});
  for (std::size_t i = 0; i < node.items.size(); ++i)
    CollectOrigins(node.items[i], fmt::format("{}[{}]", path, i), origins);
  for (const auto& member : node.members)
    CollectOrigins(member.node, path.empty() ? member.name : path + "." + member.name, origins);
}

const DefinitionNode* EndpointOf(const DefinitionNode& definition, std::string_view name) {
  const auto* endpoints = definition.Find("endpoints");
  return endpoints == nullptr ? nullptr : endpoints->Find(name);
}

Error NoEndpoint(const DefinitionNode& definition, const std::string& name) {
  std::vector<std::string> known;
  if (const auto* endpoints = definition.Find("endpoints")) {
    for (const auto& member : endpoints->members) known.push_back(member.name);
  }
  return {ErrorCode::kInvalidInput, fmt::format("there is no endpoint '{}'", name),
          definition.place,
          DidYouMean(name, known, fmt::format("there are {}", fmt::join(known, ", ")))};
}

// What the endpoint may spend of quotas that it shares with others: its weight among all that have one.
std::optional<double> QuotaPartOf(const DefinitionNode& definition, const std::string& endpoint) {
  const auto* endpoints = definition.At("endpoints");
  if (endpoints == nullptr) return std::nullopt;
  double own = 0;
  double all = 0;
  for (const auto& member : endpoints->members) {
    const auto weight = NodeReader(&member.node).Integer("weight");
    if (!weight || *weight < 1) continue;
    all += static_cast<double>(*weight);
    if (member.name == endpoint) own = static_cast<double>(*weight);
  }
  if (own == 0 || own == all) return std::nullopt;
  return own / all;
}

// Details have no pages, whatever their source says of its lists.
std::optional<HookSpec> HooksOfDetails(std::optional<HookSpec> hooks) {
  if (hooks) hooks->paging.reset();
  return hooks == HookSpec{} ? std::nullopt : hooks;
}

void CheckAgainst(const CodeDictionary& dictionary, const MergedView& view,
                  const CompileRequest& request, Findings& findings) {
  const auto operation =
      dictionary.Check(std::string(kDictionaryOfOperations), Code(request.operation));
  if (!operation)
    view.Complain(findings, "operations", operation.error().message, operation.error().hint);
  CheckCodes(view, dictionary, findings);
}

// Compiles the endpoint that `key` names, which gives records by their ids, and takes over its part.
void AddDetails(const CompileRequest& request, const MergedView& view, const std::string& key,
                const std::string& timezone, SpecSnapshot& spec, Findings& findings) {
  const NodeReader details(view.At(key));
  if (details.node() == nullptr) return;
  const auto name = details.Text("endpoint", "");
  const auto at = key + ".endpoint";
  if (EndpointOf(request.definition, name) == nullptr) {
    auto missing = NoEndpoint(request.definition, name);
    return view.Complain(findings, at, missing.message, missing.hint);
  }
  const auto detail_view =
      MergedView::Of(request.definition, name, request.operation, request.trigger);
  auto detail = DecodeSpec(detail_view, spec.provenance, timezone, request.operation);
  if (detail.role != EndpointRole::kDetail)
    return view.Complain(findings, at, fmt::format("'{}' is no detail endpoint", name),
                         "role: detail");
  if (request.dictionary != nullptr) CheckCodes(detail_view, *request.dictionary, findings);
  CheckSpec(detail_view, detail, Operation::kUpdate, findings);
  spec.details = DetailSpec{.endpoint = name,
                            .id_batch_size = details.Integer("batch").value_or(200),
                            .threshold = details.Integer("threshold"),
                            .combine_threshold = details.Integer("combine_threshold"),
                            .for_update_only = key == "refresh",
                            .cost = detail.cost,
                            .http = std::move(detail.http),
                            .response = std::move(detail.response),
                            .fields = std::move(detail.fields),
                            .errors = std::move(detail.errors),
                            .hooks = HooksOfDetails(std::move(detail.hooks)),
                            .limits = std::move(detail.limits),
                            .quota_part = QuotaPartOf(request.definition, name)};
}

}  // namespace

std::string CheckedDefinition::source() const { return NodeReader(&tree).Text("source", ""); }

Lifecycle LifecycleOf(const DefinitionNode& definition) {
  return NodeReader(&definition).Code("lifecycle", Lifecycle::kActive);
}

bool CheckedDefinition::is_abstract() const { return NodeReader(&tree).Flag("abstract", false); }

std::vector<std::string> CheckedDefinition::endpoints() const {
  std::vector<std::string> names;
  if (const auto* list = tree.Find("endpoints")) {
    for (const auto& member : list->members) names.push_back(member.name);
  }
  return names;
}

CheckedDefinition CheckDefinition(const DefinitionNode& file, const DefinitionNode* extended) {
  CheckedDefinition checked;
  checked.tree = CheckShape(file, SourceShape(), "", checked.problems);
  if (!checked.tree.is_map()) checked.tree = DefinitionNode::Map(file.place);
  if (extended == nullptr) return checked;
  auto base = *extended;
  // What a definition is itself says nothing of those that extend it.
  std::erase_if(base.members, [](const auto& member) {
    return member.name == "abstract" || member.name == "lifecycle";
  });
  checked.tree = Merge(base, checked.tree);
  return checked;
}

std::expected<CompiledDefinition, std::vector<Error>> CompileSource(const CompileRequest& request) {
  if (EndpointOf(request.definition, request.endpoint) == nullptr)
    return std::unexpected(std::vector{NoEndpoint(request.definition, request.endpoint)});

  const NodeReader definition(&request.definition);
  const auto timezone = definition.Text("timezone", "UTC");
  const auto view =
      MergedView::Of(request.definition, request.endpoint, request.operation, request.trigger);
  CompiledDefinition compiled{
      .spec = DecodeSpec(view, definition.Text("source", ""), timezone, request.operation)};
  Findings findings;
  compiled.spec.quota_part = QuotaPartOf(request.definition, view.endpoint());
  AddDetails(request, view, "details", timezone, compiled.spec, findings);
  if (view.Has("details") && view.Has("refresh"))
    view.Complain(findings, "refresh", "an endpoint with `details` is refreshed by them",
                  "leave `refresh` out");
  if (request.operation == Operation::kUpdate && !compiled.spec.details)
    AddDetails(request, view, "refresh", timezone, compiled.spec, findings);
  if (request.dictionary != nullptr) CheckAgainst(*request.dictionary, view, request, findings);
  CheckSpec(view, compiled.spec, request.operation, findings);
  if (!findings.problems.empty()) return std::unexpected(std::move(findings.problems));

  compiled.warnings = std::move(findings.warnings);
  CollectOrigins(view.root(), "", compiled.origins);
  return compiled;
}

Result<DefinitionNode> ParseOverride(std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' sets nothing", assignment), {},
                "write it as http.base_url=https://…");
  }
  const Place place{.file = "‹wish.set›"};
  auto tree = DefinitionNode::Map(place);
  auto* node = &tree;
  auto path = assignment.substr(0, equals);
  while (true) {
    const auto dot = path.find('.');
    std::string name(path.substr(0, dot));
    if (dot == std::string_view::npos) {
      node->Set(std::move(name),
                DefinitionNode::Text(std::string(assignment.substr(equals + 1)), place));
      break;
    }
    node = &node->Set(std::move(name), DefinitionNode::Map(place));
    path.remove_prefix(dot + 1);
  }
  SetLayer(tree, Layer::kTrigger);
  return tree;
}

}  // namespace patra::domain
