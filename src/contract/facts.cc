#include "contract/facts.h"

#include <fmt/format.h>

#include "base/document.h"

namespace patra::contract {

Facts Joined(std::initializer_list<Facts> parts) {
  Facts all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Value ToObject(const Facts& facts) {
  Value::Object object;
  for (const auto& [name, value] : facts) object[name] = value;
  return object;
}

Value IdFact(Id id) { return id == 0 ? Value() : Value(fmt::to_string(id)); }

Value TimeFact(const std::optional<Instant>& time) {
  return time ? Value(FormatRfc3339(*time)) : Value();
}

Value TextFact(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

Value CountFact(const std::optional<std::int64_t>& count) {
  return count ? Value(*count) : Value();
}

// Lists show it of every row, so it is read by the fast parser; most of it is empty.
Value JsonFact(const std::string& json) {
  if (json == "{}") return Value::Object{};
  if (json == "[]") return Value::Array{};
  const auto document = Document::ParseJson(json);
  auto value = document ? patra::ToValue(document->root()) : Result<Value>(Value(json));
  return value ? *std::move(value) : Value(json);
}

Value DigestFact(const std::string& json) { return json.empty() ? Value() : JsonFact(json); }

}  // namespace patra::contract
