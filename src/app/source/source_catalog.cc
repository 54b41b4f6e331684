#include "app/source/source_catalog.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/close_match.h"

namespace patra::app {
namespace {

using domain::CheckDefinition;
using domain::DefinitionNode;
using domain::Operation;

// A definition may extend one that extends another, but not for ever.
constexpr int kExtendsMax = 5;

std::string TextOf(const DefinitionNode& tree, std::string_view name) {
  const auto* node = tree.Find(name);
  return node != nullptr && node->is_scalar() ? node->text : std::string();
}

const DefinitionFile* FileOf(const std::vector<DefinitionFile>& files, std::string_view source) {
  const auto found = std::ranges::find_if(
      files, [&](const auto& file) { return TextOf(file.tree, "source") == source; });
  return found == files.end() ? nullptr : &*found;
}

domain::CheckedDefinition CheckFile(const std::vector<DefinitionFile>& files,
                                    const DefinitionFile& file, int depth) {
  const auto extends = TextOf(file.tree, "extends");
  if (extends.empty()) return CheckDefinition(file.tree, nullptr);
  const auto* base = FileOf(files, extends);
  if (base == nullptr || depth >= kExtendsMax) {
    auto checked = CheckDefinition(file.tree, nullptr);
    auto place = file.tree.Find("extends")->place;
    place.pointer = "/extends";
    std::vector<std::string> known;
    for (const auto& other : files) known.push_back(TextOf(other.tree, "source"));
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

std::vector<Operation> OperationsOf(const CatalogEntry& entry, const std::string& endpoint) {
  const auto* role = entry.definition.tree.At("endpoints." + endpoint + ".role");
  if (role != nullptr && role->text != "search") return {Operation::kUpdate};
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
      if (compiled) {
        AddNew(findings.warnings, compiled->warnings);
      } else {
        AddNew(findings.problems, compiled.error());
      }
    }
  }
  return findings;
}

Result<RegistryLoad> LoadForRegistry(DefinitionFiles& files, const std::string& folder) {
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files, folder));
  RegistryLoad load;
  for (const auto& entry : catalog.entries()) {
    AddNew(load.problems, CheckEntry(entry).problems);
    load.definitions.push_back(entry.definition.tree);
  }
  if (!load.problems.empty()) load.definitions.clear();
  return load;
}

}  // namespace patra::app
