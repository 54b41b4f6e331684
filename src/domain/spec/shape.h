// The grammar of a source definition, as one table: the loader's checks, the JSON Schema that
// editors use and the platform's defaults are all read from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/value.h"
#include "domain/spec/definition.h"

namespace patra::domain {

enum class ScalarKind {
  kText,
  kName,  // of a source, an endpoint or a field
  kInteger,
  kNumber,
  kPart,
  kFlag,
  kDuration,
  kWidths,
  kMoment,
  kRate,
  kStatus,
  kTemplate,
  kPath,
  kUrl,
  kReference,  // ${env:NAME}, ${file:PATH}
  kReferenceOrText,
  kPattern,  // I-Regexp
  kDatePattern,
  kTimezone,
  kCode,
};

struct Key;

struct Shape {
  enum class Kind { kScalar, kMap, kEntries, kList, kTree };

  Kind kind = Kind::kScalar;
  std::string name{};  // of a part that several places share: the schema has it once
  ScalarKind scalar = ScalarKind::kText;
  std::vector<std::string> codes{};  // kCode: what it may be
  std::string dictionary{};  // the type of its codes in the dictionary; kMap: the keys are codes
  std::vector<Key> keys;     // kMap
  std::shared_ptr<const Shape> of{};  // kEntries and kList: of each; shared by copies of a shape
  std::string short_form{};           // kMap: the key that a bare scalar stands for
  std::string list_form{};            // kMap: the key that a bare list stands for
  bool one_or_many = false;           // kList: a bare scalar is a list of one
  bool names_suffice = false;         // kEntries: a list of names, each its own path
  bool checks_names = false;          // kEntries: names are those of sources and endpoints
  std::string none_word{};            // kMap: the word that says there is none, such as `none`
};

struct Key {
  std::string name;
  Shape shape;
  std::string doc;
  std::string platform_default{};  // of a scalar, as it would be written
  bool required = false;
};

// Of a whole file.
const Shape& SourceShape();

// Of what `endpoints.NAME` holds, after merging with the levels below it.
const Shape& EndpointShape();

// The platform's level of the merge.
DefinitionNode PlatformDefaults();

// JSON Schema (draft 2020-12) of a file.
Value SourceSchema();

// Checks a tree against the grammar and spells its short forms out. What is wrong is reported and
// left out, so that the rest can be looked at too: unknown keys (with what may be meant), values
// that are none of their kind, missing keys.
DefinitionNode CheckShape(const DefinitionNode& node, const Shape& shape,
                          const std::string& pointer, std::vector<Error>& problems);

// The same of a tree that is laid over another one, which may have what is missing here.
DefinitionNode CheckPart(const DefinitionNode& node, const Shape& shape, const std::string& pointer,
                         std::vector<Error>& problems);

}  // namespace patra::domain
