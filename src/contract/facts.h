// One row of a read model as named values, in the order in which people read them. The same list becomes a
// JSON object for machines and lines on a screen.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::contract {

struct Fact {
  std::string name;  // as the JSON member is called: "windowFrom"
  Value value;
};
using Facts = std::vector<Fact>;

Facts Joined(std::initializer_list<Facts> parts);
Value ToObject(const Facts& facts);

Value IdFact(Id id);  // a string; null for 0, which is no id
Value TimeFact(const std::optional<Instant>& time);
Value TextFact(const std::optional<std::string>& text);
Value CountFact(const std::optional<std::int64_t>& count);

// Stored JSON as the value it is; as text where it cannot be read.
Value JsonFact(const std::string& json);
// The same, and null while there is nothing to digest.
Value DigestFact(const std::string& json);

}  // namespace patra::contract
