#include "app/source/source_catalog.h"

#include <algorithm>
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

// A definition may extend one that extends another, but not for ever.
constexpr int kExtendsMax = 5;

std::string MemberText(const DefinitionNode& tree, std::string_view name) {
  const auto* node = tree.Find(name);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

const DefinitionFile* FileOf(const std::vector<DefinitionFile>& files, std::string_view source) {
  const auto found = std::ranges::find_if(
      files, [&](const auto& file) { return MemberText(file.tree, "source") == source; });
  return found == files.end() ? nullptr : &*found;
}

domain::CheckedDefinition CheckFile(const std::vector<DefinitionFile>& files,
                                    const DefinitionFile& file, int depth) {
  const auto extends = MemberText(file.tree, "extends");
  if (extends.empty()) return CheckDefinition(file.tree, nullptr);
  const auto* base = FileOf(files, extends);
  if (base == nullptr || depth >= kExtendsMax) {
    auto checked = CheckDefinition(file.tree, nullptr);
    auto place = file.tree.Find("extends")->place;
    place.pointer = "/extends";
    std::vector<std::string> known;
    for (const auto& other : files) known.push_back(MemberText(other.tree, "source"));
    checked.problems.push_back({ErrorCode::kInvalidInput,
                                base == nullptr ? fmt::format("there is no source '{}'", extends)
                                                : "definitions extend each other in a circle",
                                std::move(place), DidYouMean(extends, known)});
    return checked;
  }
  const auto extended = CheckFile(files, *base, depth + 1);
  auto checked = CheckDefinition(file.tree, &extended.tree);
  // What else is wrong with the extended file is reported with it.
  std::ranges::copy_if(extended.problems, std::back_inserter(checked.problems),
                       [](const Error& error) { return error.place.pointer == "/extends"; });
  return checked;
}

void AddNew(std::vector<Error>& known, const std::vector<Error>& found) {
  for (const auto& error : found) {
    if (std::ranges::find(known, error) == known.end()) known.push_back(error);
  }
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
    CatalogEntry entry{.file = file.path, .definition = CheckFile(read, file, 0)};
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

Result<const CatalogEntry*> SourceCatalog::Find(std::string_view source) const {
  std::vector<std::string> known;
  for (const auto& entry : entries_) {
    known.push_back(entry.definition.source());
    if (known.back() == source) return &entry;
  }
  return Fail(ErrorCode::kNotFound, fmt::format("there is no source '{}'", source), {},
              DidYouMean(source, known, fmt::format("there are {}", fmt::join(known, ", "))));
}

EntryFindings CheckEntry(const CatalogEntry& entry) {
  EntryFindings findings{.problems = entry.definition.problems};
  if (entry.definition.is_abstract()) return findings;
  for (const auto& endpoint : entry.definition.endpoints()) {
    ++findings.compiled;
    for (const auto operation : OperationsOf(entry, endpoint)) {
      const auto compiled = domain::CompileSource(
          {.definition = entry.definition.tree, .endpoint = endpoint, .operation = operation});
      if (!compiled) {
        AddNew(findings.problems, compiled.error());
        continue;
      }
      findings.auth = compiled->spec.auth;
      AddNew(findings.warnings, compiled->warnings);
      AddNew(findings.warnings, LimitsWithoutPage(*compiled));
      if (const auto hook = UnknownHook(*compiled)) AddNew(findings.problems, {*hook});
    }
  }
  return findings;
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
