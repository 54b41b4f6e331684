#include "app/source/source_catalog.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/send/signing.h"
#include "base/close_match.h"

namespace patra::app {
namespace {

using domain::CheckDefinition;
using domain::DefinitionNode;
using domain::Operation;

std::string MemberText(const DefinitionNode& tree, std::string_view name) {
  const auto* node = tree.Find(name);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

const DefinitionFile* FileOf(const std::vector<DefinitionFile>& files, std::string_view source) {
  const auto found = std::ranges::find_if(
      files, [&](const auto& file) { return MemberText(file.tree, "source") == source; });
  return found == files.end() ? nullptr : &*found;
}

// The circle that the last of a chain closes, told the same whoever of it is looked at.
Error CircleError(std::vector<const DefinitionFile*> circle) {
  std::ranges::rotate(
      circle, std::ranges::min_element(circle, {}, [](const auto* file) { return file->path; }));
  std::vector<std::string> names;
  for (const auto* file : circle) names.push_back(MemberText(file->tree, "source"));
  names.push_back(names.front());
  auto place = circle.front()->tree.Find("extends")->place;
  place.pointer = "/extends";
  return {ErrorCode::kInvalidInput,
          fmt::format("definitions extend each other in a cycle: {}", fmt::join(names, " → ")),
          std::move(place), "one of them has to stand for itself"};
}

Error UnknownBase(const std::vector<DefinitionFile>& files, const DefinitionFile& file,
                  const std::string& extends) {
  auto place = file.tree.Find("extends")->place;
  place.pointer = "/extends";
  std::vector<std::string> known;
  for (const auto& other : files) {
    auto name = MemberText(other.tree, "source");
    if (&other != &file && !name.empty()) known.push_back(std::move(name));
  }
  return {ErrorCode::kInvalidInput, fmt::format("there is no source '{}' to extend", extends),
          std::move(place),
          DidYouMean(extends, known,
                     known.empty() ? "there is no other definition in the folder"
                                   : fmt::format("there are {}", fmt::join(known, ", ")))};
}

// `chain` are the files that lead here, each extending the next.
domain::CheckedDefinition CheckFile(const std::vector<DefinitionFile>& files,
                                    const DefinitionFile& file,
                                    std::vector<const DefinitionFile*> chain = {}) {
  const auto extends = MemberText(file.tree, "extends");
  if (extends.empty()) return CheckDefinition(file.tree, nullptr);
  chain.push_back(&file);
  const auto* base = FileOf(files, extends);
  const auto begin = std::ranges::find(chain, base);
  if (base == nullptr || begin != chain.end()) {
    auto checked = CheckDefinition(file.tree, nullptr);
    checked.problems.push_back(base == nullptr ? UnknownBase(files, file, extends)
                                               : CircleError({begin, chain.end()}));
    return checked;
  }
  const auto extended = CheckFile(files, *base, std::move(chain));
  auto checked = CheckDefinition(file.tree, &extended.tree);
  // What is wrong with it was left out of this one, too.
  checked.problems.insert(checked.problems.end(), extended.problems.begin(),
                          extended.problems.end());
  return checked;
}

// A value that several endpoints share is complained of once.
bool IsTheSame(const Error& a, const Error& b) {
  return a.message == b.message && a.hint == b.hint && a.place.file == b.place.file &&
         a.place.line == b.place.line && a.place.column == b.place.column &&
         (a.place.line > 0 || a.place.pointer == b.place.pointer);
}

// "/paging/style" of "/endpoints/items/paging/style".
std::string_view WithinEndpoint(std::string_view pointer) {
  constexpr std::string_view kEndpoints = "/endpoints/";
  if (!pointer.starts_with(kEndpoints)) return pointer;
  const auto end = pointer.find('/', kEndpoints.size());
  return end == std::string_view::npos ? std::string_view() : pointer.substr(end);
}

// What the grammar refuses is left out, and may be missed for that reason alone: without a style nothing about paging can be told.
bool FollowsFrom(const Error& error, const std::vector<Error>& refused) {
  return std::ranges::any_of(refused, [&](const Error& first) {
    const auto at = WithinEndpoint(first.place.pointer);
    const auto missed = WithinEndpoint(error.place.pointer);
    const auto other = EndpointIn(first.place.pointer);
    if (other && other != EndpointIn(error.place.pointer)) return false;
    if (at.empty() || at == "/") return false;
    const bool is_style = at == "/paging/style" && missed.starts_with("/paging");
    return is_style || missed == at || missed.starts_with(fmt::format("{}/", at)) ||
           at.starts_with(fmt::format("{}/", missed));
  });
}

// Limits that do not say where the provider publishes them. The platform's own is no provider's word.
std::vector<Error> LimitsWithoutPage(const domain::CompiledDefinition& compiled) {
  std::map<std::string, const domain::Origin*> without;  // "limits[0]" → its first value
  std::set<std::string> with;
  for (const auto& origin : compiled.origins) {
    if (!origin.path.starts_with("limits[") || origin.layer == domain::Layer::kPlatform) continue;
    const auto limit = origin.path.substr(0, origin.path.find(']') + 1);
    if (origin.path == limit + ".page") with.insert(limit);
    without.emplace(limit, &origin);
  }
  std::vector<Error> warnings;
  for (const auto& [limit, origin] : without) {
    if (with.contains(limit)) continue;
    auto place = origin->place;
    place.pointer = "/limits";
    warnings.push_back({ErrorCode::kInvalidInput,
                        "the limit does not say which of the provider's pages it was read on",
                        std::move(place), "page: https://…"});
  }
  return warnings;
}

std::vector<Operation> OperationsOf(const CatalogEntry& entry, const std::string& endpoint) {
  const auto* role = entry.definition.tree.At("endpoints." + endpoint + ".role");
  const auto of_endpoint = role == nullptr ? domain::EndpointRole::kSearch
                                           : domain::FindCode<domain::EndpointRole>(role->text);
  if (of_endpoint == domain::EndpointRole::kDetail) return {Operation::kUpdate};
  if (of_endpoint == domain::EndpointRole::kMetrics)
    return {Operation::kHarvest, Operation::kBackfill};
  return {Operation::kHarvest, Operation::kBackfill, Operation::kUpdate};
}

}  // namespace

Result<SourceCatalog> SourceCatalog::Load(DefinitionFiles& files, const std::string& folder) {
  const auto read = PATRA_TRY(files.ReadFolder(folder));
  SourceCatalog catalog;
  for (const auto& file : read) {
    CatalogEntry entry{.file = file.path, .definition = CheckFile(read, file)};
    // A file that could not be read has nothing in it that could be missing.
    if (file.tree.is_null() && !file.problems.empty()) entry.definition.problems.clear();
    auto& problems = entry.definition.problems;
    problems.insert(problems.begin(), file.problems.begin(), file.problems.end());
    if (file.tree.is_null() && file.problems.empty())
      problems.push_back({ErrorCode::kInvalidInput,
                          "the file is empty",
                          {.file = file.path, .line = 1},
                          "`‹source.init NAME›` writes a definition to start from"});
    const auto source = entry.definition.source();
    const auto* first = source.empty() ? nullptr : FileOf(read, source);
    if (first != nullptr && first != &file) {
      problems.push_back({ErrorCode::kInvalidInput,
                          fmt::format("'{}' is already defined in {}", source, first->path),
                          {.file = file.path, .line = 1, .pointer = "/source"}});
    }
    catalog.entries_.push_back(std::move(entry));
  }
  return catalog;
}

Result<void> RefuseFileName(std::string_view source) {
  if (!source.ends_with(".yaml") && !source.ends_with(".yml")) return {};
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("'{}' is a file, not the name of a source", source), {},
              "a source is called as its definition says, `source: NAME`, and is looked for in the "
              "folder of definitions");
}

Result<const CatalogEntry*> SourceCatalog::Find(std::string_view source) const {
  PATRA_TRY(RefuseFileName(source));
  std::vector<std::string> known;
  for (const auto& entry : entries_) {
    known.push_back(entry.definition.source());
    if (known.back() == source) return &entry;
    // One that cannot be read does not say whose it is: its file does.
    if (known.back().empty()) known.back() = std::filesystem::path(entry.file).stem().string();
    if (known.back() == source && !entry.definition.problems.empty()) return &entry;
  }
  return Fail(ErrorCode::kInvalidInput, fmt::format("there is no source '{}'", source), {},
              DidYouMean(source, known, fmt::format("there are {}", fmt::join(known, ", "))));
}

namespace {

// An endpoint whose records come from a bad one is bad, too.
void AddLeaning(const CatalogEntry& entry, EntryFindings& findings) {
  for (const auto& endpoint : entry.definition.endpoints()) {
    const auto* node = entry.definition.tree.At("endpoints")->Find(endpoint);
    for (const auto* path : {"details.endpoint", "refresh.endpoint"}) {
      const auto* named = node == nullptr ? nullptr : node->At(path);
      const auto bad =
          named == nullptr ? findings.of_endpoint.end() : findings.of_endpoint.find(named->text);
      if (bad != findings.of_endpoint.end())
        AddNew(findings.of_endpoint[endpoint], std::vector(bad->second));
    }
  }
}

}  // namespace

void AddNew(std::vector<Error>& known, const std::vector<Error>& found) {
  for (const auto& error : found) {
    const bool is_known =
        std::ranges::any_of(known, [&](const Error& other) { return IsTheSame(error, other); });
    if (!is_known) known.push_back(error);
  }
}

std::optional<std::string> EndpointIn(std::string_view pointer) {
  constexpr std::string_view kEndpoints = "/endpoints/";
  if (!pointer.starts_with(kEndpoints)) return std::nullopt;
  const auto name = pointer.substr(kEndpoints.size());
  return std::string(name.substr(0, name.find('/')));
}

std::vector<Error> ProblemsOf(const EntryFindings& findings, const std::string& endpoint) {
  std::vector<Error> own = findings.of_file;
  const auto found = findings.of_endpoint.find(endpoint);
  if (found != findings.of_endpoint.end()) AddNew(own, found->second);
  return own;
}

EntryFindings CheckEntry(const CatalogEntry& entry) {
  EntryFindings findings;
  AddNew(findings.problems, entry.definition.problems);
  for (const auto& problem : findings.problems) {
    const auto endpoint = EndpointIn(problem.place.pointer);
    (endpoint ? findings.of_endpoint[*endpoint] : findings.of_file).push_back(problem);
  }
  if (entry.definition.is_abstract()) return findings;
  for (const auto& endpoint : entry.definition.endpoints()) {
    ++findings.compiled;
    for (const auto operation : OperationsOf(entry, endpoint)) {
      const auto compiled = domain::CompileSource(
          {.definition = entry.definition.tree, .endpoint = endpoint, .operation = operation});
      if (!compiled) {
        auto problems = compiled.error();
        std::erase_if(problems, [&](const Error& error) {
          return FollowsFrom(error, entry.definition.problems);
        });
        AddNew(findings.of_endpoint[endpoint], problems);
        AddNew(findings.problems, problems);
        continue;
      }
      findings.auth = compiled->spec.auth;
      AddNew(findings.warnings, compiled->warnings);
      AddNew(findings.warnings, LimitsWithoutPage(*compiled));
      if (const auto hook = UnknownHook(*compiled)) {
        AddNew(findings.of_endpoint[endpoint], {*hook});
        AddNew(findings.problems, {*hook});
      }
    }
  }
  std::erase_if(findings.of_endpoint, [](const auto& named) { return named.second.empty(); });
  AddLeaning(entry, findings);
  return findings;
}

std::optional<DefinitionNode> SoundPart(const CatalogEntry& entry, const EntryFindings& findings) {
  if (!findings.of_file.empty()) return std::nullopt;
  auto tree = entry.definition.tree;
  if (findings.of_endpoint.empty()) return tree;
  if (entry.definition.is_abstract()) return std::nullopt;
  auto* endpoints = tree.Find("endpoints");
  std::erase_if(endpoints->members, [&](const domain::DefinitionMember& member) {
    return findings.of_endpoint.contains(member.name);
  });
  return endpoints->members.empty() ? std::nullopt : std::optional(std::move(tree));
}

std::optional<Error> UnknownHook(const domain::CompiledDefinition& compiled) {
  const auto& hook = compiled.spec.auth.signing_hook;
  const auto known = SigningHooks();
  if (!hook || hook->empty() || std::ranges::find(known, *hook) != known.end()) return std::nullopt;
  Place place;
  for (const auto& origin : compiled.origins) {
    if (origin.path == "auth.signing") place = origin.place;
  }
  place.pointer = "/auth/signing";
  return Error{ErrorCode::kInvalidInput, fmt::format("there is no signing hook '{}'", *hook),
               std::move(place),
               DidYouMean(*hook, known, fmt::format("there is {}", fmt::join(known, ", ")))};
}

Result<FieldsFile> ReadFieldsFile(DefinitionFiles& files, const std::string& folder) {
  const auto file = files.ReadFile(folder + "/dictionary/fields.yaml");
  FieldsFile read;
  if (!file && file.error().code == ErrorCode::kNotFound) return read;
  if (!file) return std::unexpected(file.error());
  read.problems = file->problems;
  read.fields = domain::ReadFieldDictionary(file->tree, read.problems);
  return read;
}

std::vector<Error> UnknownFields(const CatalogEntry& entry,
                                 const std::vector<domain::QueryField>& fields) {
  std::vector<std::string> known;
  for (const auto& field : fields) known.push_back(field.key);
  std::vector<Error> unknown;
  const auto look = [&](const DefinitionNode* list) {
    if (list == nullptr) return;
    for (const auto& member : list->members) {
      if (std::ranges::find(known, member.name) != known.end()) continue;
      auto place = member.place;
      place.pointer = "/expressions/fields/" + member.name;
      unknown.push_back({ErrorCode::kInvalidInput,
                         fmt::format("the dictionary has no query field '{}'", member.name),
                         std::move(place),
                         DidYouMean(member.name, known, "add it to dictionary/fields.yaml")});
    }
  };
  look(entry.definition.tree.At("expressions.fields"));
  for (const auto& endpoint : entry.definition.endpoints())
    look(entry.definition.tree.At("endpoints." + endpoint + ".expressions.fields"));
  return unknown;
}

Result<RegistryLoad> LoadForRegistry(DefinitionFiles& files, const std::string& folder) {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files, folder));
  auto fields = PATRA_TRY(ReadFieldsFile(files, folder));
  RegistryLoad load{.content = {.fields = std::move(fields.fields)},
                    .problems = std::move(fields.problems)};
  for (const auto& entry : catalog.entries()) {
    AddNew(load.problems, CheckEntry(entry).problems);
    load.content.definitions.push_back(entry.definition.tree);
  }
  if (!load.problems.empty()) load.content = {};
  return load;
}

}  // namespace patra::app
