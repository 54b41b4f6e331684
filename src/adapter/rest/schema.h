// What a body may hold, once: the API's description is printed from it, and what comes in is checked against it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace patra::adapter::rest {

struct SchemaMember;

struct Schema {
  enum class Kind {
    kAny,
    kText,
    kId,
    kMoment,
    kInteger,
    kNumber,
    kFlag,
    kObject,
    kList,
    kMap,
    kNamed
  };

  Kind kind = Kind::kAny;
  bool is_nullable = false;
  std::string about{};
  std::vector<std::string> values{};      // kText: only these
  std::optional<std::int64_t> least{};    // kInteger
  std::optional<std::int64_t> most{};     // kInteger; characters of a text, entries of a list
  std::shared_ptr<const Schema> inner{};  // kList: of each entry; kMap: of each member
  std::vector<SchemaMember> members;      // kObject, which has no others
  std::string name{};                     // kNamed
};

struct SchemaMember {
  std::string name;
  Schema schema;
  bool is_required = true;
};

Schema Text(std::string about = {});
Schema Flag(std::string about = {});
Schema Integer(std::string about = {}, std::optional<std::int64_t> least = {},
               std::optional<std::int64_t> most = {});
Schema OneOf(std::vector<std::string> values, std::string about = {});
Schema ListOf(Schema inner, std::optional<std::int64_t> most = {}, std::string about = {});
Schema Named(std::string name);
Schema ObjectOf(std::vector<SchemaMember> members);

// "id:id status:text windowFrom:time? stats:any children:[Slice]": an object with all of these. A question mark allows null,
// brackets make lists, names that begin in upper case are those of other schemas.
Schema RowOf(std::string_view members);
// What lists answer with: entries, and where the next page begins.
Schema PageOf(std::string_view name);

// As JSON Schema of 2020-12 has it.
Value ToValue(const Schema& schema);

using NamedSchemas = std::map<std::string, Schema, std::less<>>;

// What is wrong with the value, with a JSON pointer to it.
Result<void> Check(const Schema& schema, const Value& value, const NamedSchemas& named,
                   const std::string& pointer = {});

}  // namespace patra::adapter::rest
