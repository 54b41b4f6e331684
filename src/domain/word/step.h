// What somebody can do next, as a mark inside of a text: ‹fuse.reset demo/items›. Errors, alerts and reports name what
// can be done; each way in says how: a command line what to type, a page where to click. Left as it is, a mark can be
// read.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace patra::domain {

inline constexpr std::string_view kStepOpens = "‹";
inline constexpr std::string_view kStepCloses = "›";

// What is longer, with its brackets, is no mark.
inline constexpr std::size_t kStepBytesMax = 512;

// A name has a dot in it, so that a quotation in somebody's text is not taken for a mark. What begins with "wish." is
// no deed of its own, but a field of a request: ‹wish.stale 30d›.
std::string NextStep(std::string_view name, std::initializer_list<std::string_view> arguments = {});

// One argument as a mark holds it, for marks that stand in a template. Spaces, brackets, quotes, backslashes and
// controls are written as %20, so that a mark stays one inside of JSON and on a line; %, alone, is nothing.
std::string StepArgument(std::string_view text);

struct ReadStep {
  std::string name;
  std::vector<std::string> arguments;
  std::size_t bytes = 0;  // of the mark

  friend bool operator==(const ReadStep&, const ReadStep&) = default;
};

// The mark that the text begins with; none where it begins with something else.
std::optional<ReadStep> ReadStepAt(std::string_view text);

// Whether more text could make a mark of all of this.
bool MayBecomeStep(std::string_view text);

}  // namespace patra::domain
