// Named values of a request: those of its path and query, and the members of its body. They were checked against the table
// before a handler sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/value.h"

namespace patra::adapter::rest {

class Fields {
 public:
  Fields() = default;
  explicit Fields(Value::Object values) : values_(std::move(values)) {}

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // Empty, none, false or 0 where there is none of that name.
  std::string Text(std::string_view name) const;
  std::optional<std::string> TextIfAny(std::string_view name) const;
  std::optional<std::int64_t> IntegerIfAny(std::string_view name) const;
  int Number(std::string_view name) const;
  bool Flag(std::string_view name) const;
  Id IdOf(std::string_view name) const;
  std::vector<std::string> Texts(std::string_view name) const;
  const Value* Find(std::string_view name) const;

  void Set(const std::string& name, Value value) { values_[name] = std::move(value); }

 private:
  Value::Object values_;
};

}  // namespace patra::adapter::rest
