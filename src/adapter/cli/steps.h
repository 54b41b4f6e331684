// What to type for what can be done: texts of the layers below name steps (domain/word/step.h), this names commands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace patra::adapter::cli {

// The text with every step that is known as what to type for it, its arguments quoted for a shell. Others stay as they
// are.
std::string Typed(std::string_view text);

// The same of text that comes in pieces and may be JSON: appends to `out` what is known by now, and yields how many
// bytes that was; the rest, less than domain::kStepBytesMax, waits for more. What would have to be escaped inside of
// JSON stays a mark.
std::size_t AppendTyped(std::string_view text, std::string& out);

// JSON of records, which means the same and is not taken for marks, whatever a provider wrote.
std::string WithoutSteps(std::string_view json);

// The names of all steps that are known.
std::vector<std::string_view> KnownSteps();

}  // namespace patra::adapter::cli
