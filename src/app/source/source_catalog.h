// The definitions of a folder, checked and ready to be compiled.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/port/definition_files.h"
#include "app/port/registry.h"
#include "base/result.h"
#include "domain/spec/compile_source.h"

namespace patra::app {

struct CatalogEntry {
  std::string file;
  domain::CheckedDefinition definition;  // with the problems of its file
};

// `t.yaml` where a name was asked for: told before a folder is read that may not be there.
Result<void> RefuseFileName(std::string_view source);

class SourceCatalog {
 public:
  // An error only where the folder cannot be read; what is wrong with a definition is in its entry.
  static Result<SourceCatalog> Load(DefinitionFiles& files, const std::string& folder);

  const std::vector<CatalogEntry>& entries() const { return entries_; }

  // The error suggests a similar name.
  Result<const CatalogEntry*> Find(std::string_view source) const;

 private:
  std::vector<CatalogEntry> entries_;
};

// Everything that is wrong with an entry: its file, and each of its endpoints for each operation
// that it can be used for.
struct EntryFindings {
  int compiled = 0;               // endpoints
  std::vector<Error> problems{};  // all of them
  std::vector<Error> of_file{};   // those that concern all its endpoints
  std::map<std::string, std::vector<Error>> of_endpoint{};
  std::vector<Error> warnings{};
  std::optional<domain::AuthSpec> auth{};  // of an endpoint that compiles
};
EntryFindings CheckEntry(const CatalogEntry& entry);

// What keeps one endpoint from being used.
std::vector<Error> ProblemsOf(const EntryFindings& findings, const std::string& endpoint);

// The definition without its bad endpoints; nothing where that is all of it.
std::optional<domain::DefinitionNode> SoundPart(const CatalogEntry& entry,
                                                const EntryFindings& findings);

// The endpoint that a pointer such as /endpoints/items/paging speaks of.
std::optional<std::string> EndpointIn(std::string_view pointer);

// Adds what is not there yet.
void AddNew(std::vector<Error>& known, const std::vector<Error>& found);

// The dictionary of query fields that lies beside the definitions; nothing where there is none.
struct FieldsFile {
  std::optional<std::vector<domain::QueryField>> fields{};
  std::vector<Error> problems{};
};
Result<FieldsFile> ReadFieldsFile(DefinitionFiles& files, const std::string& folder);

// Conditions of queries on fields that the dictionary does not have.
std::vector<Error> UnknownFields(const CatalogEntry& entry,
                                 const std::vector<domain::QueryField>& fields);

// A signing hook that nobody wrote, where the definition names one.
std::optional<Error> UnknownHook(const domain::CompiledDefinition& compiled);

// All definitions of a folder as the registry takes them: checked, with what they extend merged in.
// With any problem there are no definitions: the registry takes all or nothing.
struct RegistryLoad {
  RegistryContent content{};
  std::vector<Error> problems{};
};
Result<RegistryLoad> LoadForRegistry(DefinitionFiles& files, const std::string& folder);

}  // namespace patra::app
