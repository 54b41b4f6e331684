// The fields that queries of all sources speak of, in a file of their own: dictionary/fields.yaml.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/spec/definition.h"

namespace patra::domain {

struct QueryField {
  std::string key;
  std::string name;           // for people
  std::string about{};        // likewise; may be empty
  std::string type = "TEXT";  // a code of reg_data_type
  bool is_many = false;       // a record may have several
  bool is_exposed = true;     // queries may use it

  friend bool operator==(const QueryField&, const QueryField&) = default;
};

// The file's fields in its order. All problems come at once.
std::vector<QueryField> ReadFieldDictionary(const DefinitionNode& file,
                                            std::vector<Error>& problems);

// The file that says the same.
DefinitionNode FieldDictionaryFile(const std::vector<QueryField>& fields);

}  // namespace patra::domain
