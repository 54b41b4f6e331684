#include "app/source/resolve_source.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/source/source_catalog.h"
#include "base/close_match.h"
#include "base/template.h"
#include "domain/spec/check_codes.h"
#include "domain/spec/compile_source.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

using domain::DefinitionNode;
using domain::Operation;
using Problems = std::vector<Error>;

constexpr std::size_t kNotAppliedShown = 10;
constexpr std::string_view kNoDefinitions = "there are no definitions";

std::string TextOf(const DefinitionNode& tree, std::string_view path) {
  const auto* node = tree.At(path);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

Error Wrong(std::string message, std::string hint) {
  return {ErrorCode::kInvalidInput, std::move(message), {}, std::move(hint)};
}

Error NoSuch(std::string_view what, const std::string& name,
             const std::vector<std::string>& known) {
  return {ErrorCode::kNotFound,
          fmt::format("there is no {} '{}'", what, name),
          {},
          DidYouMean(name, known, fmt::format("there are {}", fmt::join(known, ", ")))};
}

void AddMissing(std::vector<std::string>& known, const std::vector<std::string>& others) {
  for (const auto& name : others) {
    if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  }
}

// The definition in the form that compiling needs: stored ones are complete, but nobody has checked them.
std::expected<DefinitionNode, Problems> FindSource(const std::vector<DefinitionNode>& definitions,
                                                   const std::string& source,
                                                   const ResolveScene& scene) {
  std::vector<std::string> known;
  for (const auto& definition : definitions) {
    known.push_back(TextOf(definition, "source"));
    if (known.back() != source) continue;
    if (TextOf(definition, "abstract") == "true")
      return std::unexpected(
          Problems{Wrong(fmt::format("'{}' is only there to be extended", source),
                         "write a definition with extends: " + source)});
    auto tree = definition;
    if (scene.codes) domain::ResolveAliases(tree, *scene.codes);
    auto checked = domain::CheckDefinition(tree, nullptr);
    if (!checked.problems.empty()) return std::unexpected(std::move(checked.problems));
    return std::move(checked.tree);
  }
  AddMissing(known, scene.others);
  if (known.empty()) {
    return std::unexpected(
        Problems{{ErrorCode::kNotFound, std::string(kNoDefinitions), {}, "‹wish.sources DIR›"}});
  }
  return std::unexpected(Problems{NoSuch("source", source, known)});
}

std::vector<std::string> EndpointsOf(const DefinitionNode& definition) {
  std::vector<std::string> names;
  if (const auto* endpoints = definition.Find("endpoints")) {
    for (const auto& member : endpoints->members) names.push_back(member.name);
  }
  return names;
}

// Whether an endpoint is meant where a command names none, as far as its definition tells. Measurements are what somebody asks for
// by name, beside the records.
bool IsCapable(const DefinitionNode& definition, const std::string& endpoint, Operation operation) {
  const auto at = "endpoints." + endpoint;
  const auto role = TextOf(definition, at + ".role");
  if (!role.empty() && role != "search") return false;
  if (operation != Operation::kUpdate) return true;
  return definition.At(at + ".details") != nullptr || definition.At(at + ".refresh") != nullptr;
}

struct FoundEndpoint {
  std::string name;
  std::string found_by;
};

std::expected<FoundEndpoint, Problems> FindEndpoint(const DefinitionNode& definition,
                                                    const domain::SourceTarget& target,
                                                    Operation operation) {
  if (target.endpoint) return FoundEndpoint{*target.endpoint, "EXPLICIT"};
  if (const auto mapped = TextOf(definition, "default"); !mapped.empty())
    return FoundEndpoint{mapped, "MAPPING"};
  const auto all = EndpointsOf(definition);
  if (all.size() == 1) return FoundEndpoint{all.front(), "ONLY_ENDPOINT"};
  std::vector<std::string> capable;
  std::ranges::copy_if(all, std::back_inserter(capable),
                       [&](const auto& name) { return IsCapable(definition, name, operation); });
  if (capable.size() == 1) return FoundEndpoint{capable.front(), "CAPABILITY"};
  const auto& offered = capable.empty() ? all : capable;
  std::vector<std::string> names;
  for (const auto& name : offered) names.push_back(target.source + "/" + name);
  return std::unexpected(Problems{Wrong(
      capable.empty()
          ? fmt::format("{} has no endpoint for {}", target.source, domain::Code(operation))
          : fmt::format("{} has several endpoints for {}", target.source, domain::Code(operation)),
      fmt::format("name one: {}", fmt::join(names, ", ")))});
}

bool Reads(const std::string& text, std::string_view root) {
  const auto compiled = Template::Compile(text);
  return compiled && std::ranges::any_of(compiled->paths(), [&](const std::string& path) {
           return path == root || path.starts_with(fmt::format("{}.", root));
         });
}

bool Reads(const domain::NamedTexts& texts, std::string_view root) {
  return std::ranges::any_of(texts, [&](const auto& named) { return Reads(named.second, root); });
}

bool Reads(const Value& value, std::string_view root) {
  if (const auto* text = value.AsString()) return Reads(*text, root);
  if (const auto* items = value.AsArray())
    return std::ranges::any_of(*items, [&](const Value& item) { return Reads(item, root); });
  if (const auto* members = value.AsObject())
    return std::ranges::any_of(*members,
                               [&](const auto& member) { return Reads(member.second, root); });
  return false;
}

bool HasPlaceForQuery(const domain::HttpSpec& http) {
  return Reads(http.path, "query") || Reads(http.query, "query") || Reads(http.headers, "query") ||
         Reads(http.form_body, "query") || Reads(http.json_body, "query");
}

// A pace of the command's own, beside what the definition allows: nobody else has to keep to it.
Result<void> CapRate(const std::string& text, domain::SpecSnapshot& spec) {
  const domain::LimitSpec own{.rate = PATRA_TRY(domain::ParseRate(text)),
                              .per = domain::RateScope::kOperation};
  spec.limits.push_back(own);
  // Without limits of their own, details go by those.
  if (spec.details && !spec.details->limits.empty()) spec.details->limits.push_back(own);
  return {};
}

// What the command's own options say is no part of any definition.
void NoteWish(std::vector<domain::Origin>& origins, std::string path, std::string text,
              std::string_view option) {
  std::erase_if(origins, [&](const domain::Origin& origin) { return origin.path == path; });
  origins.push_back({.path = std::move(path),
                     .text = std::move(text),
                     .layer = domain::Layer::kTrigger,
                     .place = {.file = std::string(option)}});
}

void AddWishes(const ResolveRequest& request, ResolvedSource& resolved, Problems& problems) {
  auto& spec = resolved.spec;
  auto& origins = resolved.origins;
  if (request.query) {
    if (!HasPlaceForQuery(spec.http)) {
      problems.push_back(
          Wrong(fmt::format("{}/{} has no place for a query", spec.provenance, spec.endpoint),
                "write ${query} where the provider takes it, such as query: ${query}"));
    }
    spec.query = request.query;
    NoteWish(origins, "query", *request.query, domain::NextStep("wish.query"));
  }
  if (request.page_size) {
    if (*request.page_size < 1) problems.push_back(Wrong("a page has at least one record", ""));
    if (*request.page_size < spec.paging.size)
      NoteWish(origins, "paging.size", fmt::to_string(*request.page_size),
               domain::NextStep("wish.page_size"));
    spec.paging.size = std::min(spec.paging.size, *request.page_size);
  }
  if (request.rate) {
    if (const auto capped = CapRate(*request.rate, spec); !capped)
      problems.push_back(capped.error());
    NoteWish(origins, fmt::format("limits[{}].rate", spec.limits.size() - 1), *request.rate,
             domain::NextStep("wish.rate"));
  }
}

void AddPrototypes(const DefinitionNode& definition, const std::string& endpoint,
                   const DefinitionNode& trigger, ResolvedSource& resolved) {
  for (const auto operation : {Operation::kHarvest, Operation::kBackfill, Operation::kUpdate}) {
    const auto compiled = domain::CompileSource({.definition = definition,
                                                 .endpoint = endpoint,
                                                 .operation = operation,
                                                 .trigger = trigger});
    if (!compiled) continue;
    auto hash = domain::ExprPrototypeHash(compiled->spec);
    if (std::ranges::find(resolved.prototypes, hash) == resolved.prototypes.end())
      resolved.prototypes.push_back(std::move(hash));
  }
}

}  // namespace

std::vector<std::string> EndpointsMeant(const DefinitionNode& definition, Operation operation) {
  if (const auto meant = FindEndpoint(definition, {}, operation)) return {meant->name};
  auto endpoints = EndpointsOf(definition);
  std::erase_if(endpoints,
                [&](const auto& name) { return !IsCapable(definition, name, operation); });
  return endpoints;
}

Result<void> CheckTarget(const std::vector<DefinitionNode>& definitions,
                         const domain::SourceTarget& target) {
  std::vector<std::string> sources;
  for (const auto& definition : definitions) {
    sources.push_back(TextOf(definition, "source"));
    if (sources.back() != target.source) continue;
    const auto endpoints = EndpointsOf(definition);
    if (!target.endpoint || std::ranges::find(endpoints, *target.endpoint) != endpoints.end())
      return {};
    return std::unexpected(NoSuch("endpoint", *target.endpoint, endpoints));
  }
  return std::unexpected(NoSuch("source", target.source, sources));
}

DefinitionNode OverridesFor(const std::string& source, const std::vector<std::string>& overrides,
                            Problems& problems) {
  auto trigger = DefinitionNode::Map();
  for (std::string_view assignment : overrides) {
    const auto dot = assignment.find('.');
    const auto first = assignment.substr(0, std::min(dot, assignment.find('=')));
    const bool is_key = std::ranges::any_of(domain::EndpointShape().keys,
                                            [&](const auto& key) { return key.name == first; });
    if (!is_key && dot != std::string_view::npos) {
      if (first != source) continue;
      assignment.remove_prefix(dot + 1);
    }
    const auto tree = domain::ParseOverride(assignment);
    if (tree) {
      trigger = domain::Merge(trigger, *tree);
    } else {
      problems.push_back(tree.error());
    }
  }
  trigger = CheckPart(trigger, domain::EndpointShape(), "", problems);
  domain::SetLayer(trigger, domain::Layer::kTrigger);
  return trigger;
}

namespace {

// What begins with neither a key nor a source would change nothing, and nobody would know.
void CheckOverrides(const std::vector<DefinitionNode>& definitions,
                    const std::vector<std::string>& others,
                    const std::vector<std::string>& overrides, Problems& problems) {
  auto known = others;
  for (const auto& key : domain::EndpointShape().keys) known.push_back(key.name);
  for (const auto& definition : definitions) known.push_back(TextOf(definition, "source"));
  for (const auto& assignment : overrides) {
    const auto first = assignment.substr(0, assignment.find_first_of(".="));
    const bool has_path = assignment.find('.') < assignment.find('=');
    if (!has_path || std::ranges::find(known, first) != known.end()) continue;
    problems.push_back({ErrorCode::kInvalidInput,
                        fmt::format("'{}' in ‹wish.set› is neither a key nor a source", first),
                        {},
                        DidYouMean(first, known)});
  }
}

}  // namespace

std::expected<ResolvedSource, Problems> ResolveSource(
    const std::vector<DefinitionNode>& definitions, const ResolveRequest& request,
    const ResolveScene& scene) {
  const auto target = domain::TargetOf(request.target);
  const auto definition = FindSource(definitions, target.source, scene);
  if (!definition) return std::unexpected(definition.error());
  const auto endpoint = FindEndpoint(*definition, target, request.operation);
  if (!endpoint) return std::unexpected(endpoint.error());

  Problems problems;
  CheckOverrides(definitions, scene.others, request.overrides, problems);
  const auto trigger = OverridesFor(target.source, request.overrides, problems);
  auto compiled = domain::CompileSource({.definition = *definition,
                                         .endpoint = endpoint->name,
                                         .operation = request.operation,
                                         .trigger = trigger,
                                         .dictionary = scene.codes.get()});
  if (!compiled) {
    problems.insert(problems.end(), compiled.error().begin(), compiled.error().end());
    return std::unexpected(std::move(problems));
  }
  if (const auto hook = UnknownHook(*compiled)) problems.push_back(*hook);
  ResolvedSource resolved{.spec = std::move(compiled->spec),
                          .found_by = endpoint->found_by,
                          .origins = std::move(compiled->origins),
                          .lifecycle = domain::LifecycleOf(*definition)};
  AddWishes(request, resolved, problems);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  for (const auto& warning : compiled->warnings) resolved.warnings.push_back(warning.message);
  if (resolved.lifecycle == domain::Lifecycle::kDeprecated)
    resolved.warnings.push_back(fmt::format("'{}' is deprecated", target.source));
  AddPrototypes(*definition, endpoint->name, trigger, resolved);
  return resolved;
}

std::vector<std::string> WarningsOf(const RegistrySync& sync) {
  if (sync.not_applied.empty()) return {};
  std::vector<std::string> warnings{
      fmt::format("the registry is read-only here, so {} {} of the folder {} not applied",
                  sync.not_applied.size(), sync.not_applied.size() == 1 ? "change" : "changes",
                  sync.not_applied.size() == 1 ? "is" : "are")};
  for (const auto& change : sync.not_applied) {
    if (warnings.size() > kNotAppliedShown) break;
    warnings.push_back("not applied: " + change);
  }
  return warnings;
}

std::optional<Error> WhyRetired(const std::string& source, const ResolvedSource& resolved) {
  if (resolved.lifecycle != domain::Lifecycle::kRetired) return std::nullopt;
  return Wrong(fmt::format("'{}' is retired", source),
               "`lifecycle: active` in its definition, if it is to be planned again");
}

namespace {

struct FolderContent {
  RegistryContent sound{};  // the definitions as far as they have no problems
  std::map<std::string, std::vector<std::string>> bad_endpoints{};  // left out of them, by source
  Problems problems{};                                              // of what the request means
  Problems left_out{};                                              // of everything else
};

// Of a file that does not even say whose definition it is, the name does: else the source would go by an older one unnoticed.
bool IsUnreadable(const CatalogEntry& entry, const std::string& source) {
  return entry.definition.source().empty() &&
         std::filesystem::path(entry.file).stem().string() == source;
}

// What keeps the request from being answered; the others of its source do not.
Problems ProblemsFor(const ResolveRequest& request, const CatalogEntry& entry,
                     const EntryFindings& findings) {
  if (!findings.of_file.empty()) return findings.problems;
  const auto meant =
      FindEndpoint(entry.definition.tree, domain::TargetOf(request.target), request.operation);
  // Which one is meant does not depend on which others are bad.
  return meant ? ProblemsOf(findings, meant->name) : meant.error();
}

Result<FolderContent> ReadFolder(DefinitionFiles& files, const std::string& folder,
                                 const ResolveRequest& request) {
  FolderContent content;
  const auto catalog = SourceCatalog::Load(files, folder);
  if (!catalog && catalog.error().code == ErrorCode::kNotFound) return content;
  if (!catalog) return std::unexpected(catalog.error());
  const auto source = domain::TargetOf(request.target).source;
  for (const auto& entry : catalog->entries()) {
    const auto findings = CheckEntry(entry);
    if (auto part = SoundPart(entry, findings)) {
      content.sound.definitions.push_back(*std::move(part));
      for (const auto& [endpoint, problems] : findings.of_endpoint)
        content.bad_endpoints[entry.definition.source()].push_back(endpoint);
    }
    if (entry.definition.source() == source || IsUnreadable(entry, source)) {
      content.problems = ProblemsFor(request, entry, findings);
    } else {
      AddNew(content.left_out, findings.problems);
    }
  }
  auto dictionary = PATRA_TRY(ReadFieldsFile(files, folder));
  if (dictionary.problems.empty()) content.sound.fields = std::move(dictionary.fields);
  return content;
}

// What the registry has of an endpoint stays there until its definition is put right.
void KeepEndpoints(const std::vector<DefinitionNode>& stored, FolderContent& content) {
  for (auto& definition : content.sound.definitions) {
    const auto source = TextOf(definition, "source");
    const auto bad = content.bad_endpoints.find(source);
    if (bad == content.bad_endpoints.end()) continue;
    const auto before = std::ranges::find_if(
        stored, [&](const auto& other) { return TextOf(other, "source") == source; });
    const auto* endpoints = before == stored.end() ? nullptr : before->Find("endpoints");
    for (const auto& name : bad->second) {
      const auto* kept = endpoints == nullptr ? nullptr : endpoints->Find(name);
      if (kept != nullptr) definition.Find("endpoints")->Set(name, *kept);
    }
  }
}

}  // namespace

Result<RegistrySync> SyncRegistry(Registry& registry, DefinitionFiles& files,
                                  const std::string& folder, const ResolveRequest& request,
                                  Instant now) {
  auto content = PATRA_TRY(ReadFolder(files, folder, request));
  RegistrySync sync{.problems = std::move(content.problems),
                    .left_out = std::move(content.left_out)};
  if (!content.bad_endpoints.empty()) KeepEndpoints(PATRA_TRY(registry.Export(now)), content);
  if (const auto differs = PATRA_TRY(registry.Diff(content.sound)); !differs.empty()) {
    const auto applied = registry.Apply(content.sound, now);
    const bool may_not = !applied && applied.error().code == ErrorCode::kRefused;
    if (!applied && !may_not) return std::unexpected(applied.error());
    for (const auto& change : may_not ? differs : *applied)
      (may_not ? sync.not_applied : sync.changes).push_back(change.Describe());
  }
  sync.definitions = std::move(content.sound.definitions);
  return sync;
}

Result<RegistrySync> WithFolder(std::vector<DefinitionNode> stored, DefinitionFiles& files,
                                const std::string& folder, const ResolveRequest& request) {
  auto content = PATRA_TRY(ReadFolder(files, folder, request));
  KeepEndpoints(stored, content);
  for (auto& definition : content.sound.definitions) {
    const auto source = TextOf(definition, "source");
    std::erase_if(stored, [&](const auto& other) { return TextOf(other, "source") == source; });
    stored.push_back(std::move(definition));
  }
  return RegistrySync{.problems = std::move(content.problems),
                      .left_out = std::move(content.left_out),
                      .definitions = std::move(stored)};
}

void AddLeftOut(Problems& problems, const Problems& left_out) {
  const bool is_missing = std::ranges::any_of(
      problems, [](const Error& error) { return error.code == ErrorCode::kNotFound; });
  if (!is_missing || left_out.empty()) return;
  // There are definitions, though none that can be used.
  std::erase_if(problems, [](const Error& error) { return error.message == kNoDefinitions; });
  AddNew(problems, left_out);
}

}  // namespace patra::app
