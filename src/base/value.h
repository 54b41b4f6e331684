// A JSON value that owns its content: configuration, snapshots, mapped records, template contexts.
// For foreign pages of megabytes use base/document.h, which does not copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace patra {

class Value {
 public:
  using Array = std::vector<Value>;
  // Sorted by bytes, so that equal objects are equal and print alike whatever order they came in.
  using Object = std::map<std::string, Value, std::less<>>;

  Value() = default;  // null
  Value(std::nullptr_t) {}
  Value(bool value) : content_(value) {}
  Value(int value) : content_(std::int64_t{value}) {}
  Value(std::int64_t value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(const char* text) : content_(std::string(text)) {}
  Value(std::string_view text) : content_(std::string(text)) {}
  Value(std::string text) : content_(std::move(text)) {}
  Value(Array items) : content_(std::move(items)) {}
  Value(Object members) : content_(std::move(members)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(content_); }

  // The content if it is of that type, else null.
  const bool* AsBool() const { return std::get_if<bool>(&content_); }
  const std::int64_t* AsInteger() const { return std::get_if<std::int64_t>(&content_); }
  const double* AsDouble() const { return std::get_if<double>(&content_); }
  const std::string* AsString() const { return std::get_if<std::string>(&content_); }
  const Array* AsArray() const { return std::get_if<Array>(&content_); }
  const Object* AsObject() const { return std::get_if<Object>(&content_); }
  Array* AsArray() { return std::get_if<Array>(&content_); }
  Object* AsObject() { return std::get_if<Object>(&content_); }

  // The member of that name, or null where this is no object or has none.
  const Value* Find(std::string_view name) const;

  // The member of that name, made if absent; a null becomes an object.
  // REQUIRES: this is an object or null
  Value& operator[](std::string_view name);

  std::string_view TypeName() const;  // "null", "boolean", "number", "string", "array", "object"

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> content_;
};

struct JsonLimits {
  std::size_t bytes_max = 64u << 20;
  int depth_max = 64;
};

// Strict JSON (RFC 8259) with unique keys. The error's place has line and column.
// Integers that fit in 63 bits and a sign stay integers, every other number is a double.
Result<Value> ParseJson(std::string_view text, JsonLimits limits = {});

// Compact JSON in the order of the object's keys, for people and for storage; hashing uses
// CanonicalJson. `indent` > 0 spreads it over lines.
std::string PrintJson(const Value& value, int indent = 0);

}  // namespace patra
