// Answers as JSON text, without a tree in between where rows are many.
#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "contract/facts.h"

namespace patra::adapter::rest {

// What becomes of the marks of steps in texts: our own texts name what to call, a provider's stay as they are.
enum class Marks { kReadable, kKeep };

void AppendJson(const Value& value, std::string& out, Marks marks = Marks::kReadable);
// In the order of the facts, which is the one in which people read them.
void AppendJson(const contract::Facts& facts, std::string& out, Marks marks = Marks::kReadable);

std::string JsonOf(const Value& value, Marks marks = Marks::kReadable);

}  // namespace patra::adapter::rest
