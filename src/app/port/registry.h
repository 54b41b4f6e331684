// Definitions as tables: what planners read where many machines share a store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/code_dictionary.h"
#include "domain/spec/definition.h"
#include "domain/spec/field_dictionary.h"

namespace patra::app {

// One field that differs, "crossref/works reg_prov_retry_cfg.max_attempts: 5 → 7".
struct RegistryChange {
  std::string where;
  std::string before;  // empty: not there
  std::string after;   // empty: gone

  std::string Describe() const;
};

// What a folder of definitions says.
struct RegistryContent {
  // They went through CheckDefinition.
  std::vector<domain::DefinitionNode> definitions{};
  // Of queries; nothing where the folder has no word about them: then those that are there stay.
  std::optional<std::vector<domain::QueryField>> fields{};
};

// One source, as planners read it.
struct RegisteredSource {
  std::string version;  // another one after each change of the source
  std::optional<domain::DefinitionNode> definition{};  // none: there is no such source
  std::optional<Instant> until{};  // what was applied ahead is valid from here on
};

// Of everybody, or of a release: then what was applied for it goes before what is everybody's, for reading and for comparing, and
// what is applied is for those alone who work with that release.
class Registry {
 public:
  virtual ~Registry() = default;

  // Its release; empty: everybody's.
  virtual std::string Release() const = 0;

  // What applying the content would change, field by field.
  virtual Result<std::vector<RegistryChange>> Diff(const RegistryContent& content) = 0;

  // Makes the definitions valid from `from` on, all of them or none. What is the same keeps its
  // row; what differs is closed and opened anew. Other sources stay as they are. The dictionary of fields
  // has no history: it is valid at once, and everybody's: a release leaves it as it is.
  virtual Result<std::vector<RegistryChange>> Apply(const RegistryContent& content,
                                                    Instant from) = 0;

  // What the release has of its own becomes everybody's from then on, or is taken back. Fails where the registry is of none.
  virtual Result<std::vector<RegistryChange>> Promote(Instant from) = 0;
  virtual Result<std::vector<RegistryChange>> Drop(Instant from) = 0;

  // The dictionary of codes.
  virtual Result<domain::CodeDictionary> Codes() = 0;

  // The dictionary of fields, by key.
  virtual Result<std::vector<domain::QueryField>> Fields() = 0;

  // The source as it is valid at that moment, complete, for what it extends was merged in when it was applied; nothing of other
  // sources is read. No value where its version is still the known one.
  virtual Result<std::optional<RegisteredSource>> Find(const std::string& source, Instant at,
                                                       const std::string& known_version) = 0;

  // Of all sources that are valid at that moment, by name.
  virtual Result<std::vector<std::string>> Names(Instant at) = 0;

  // The definitions that are valid at that moment; applying them again changes nothing.
  virtual Result<std::vector<domain::DefinitionNode>> Export(Instant at) = 0;
};

}  // namespace patra::app
