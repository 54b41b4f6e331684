// What a definition asks its provider for, and what it takes for an answer: what decides which records a list has and by what they
// are known, whatever is then read of them.
//
// A stretch that was proven under another question is proven for what that one asked for, and not for what this one does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/value.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// By the name of the key in a definition. Without what only leads from page to page, says who asks, or names the provider's address.
using Asked = std::map<std::string, std::string>;

Asked AskedBy(const SpecSnapshot& spec);

// The keys in which they differ, in order.
std::vector<std::string> DifferencesOf(const Asked& a, const Asked& b);

Value ToValue(const Asked& asked);
Asked AskedFrom(const Value& value);

}  // namespace patra::domain
