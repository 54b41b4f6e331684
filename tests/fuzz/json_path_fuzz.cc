// JSONPath and I-Regexp: any text compiles or is refused with a place; what compiles ends within
// its limits, and normalized paths lead back to the nodes they came with.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/i_regexp.h"
#include "base/json_path.h"

using namespace patra;

namespace {

constexpr const char* kPage =
    R"({"a":[1,2.5,-3,"x","ab",null,true,{"b":{"a":[]}}],"b":{"a":"b","c":[[1],[2,[3]]]},"'\\":0})";

void CheckPath(std::string_view text) {
  static const auto page = Document::ParseJson(kPage).value();
  static const auto value = ParseJson(kPage).value();
  const auto path = JsonPath::Compile(text);
  if (!path) {
    PATRA_ASSERT(!path.error().message.empty());
    PATRA_ASSERT(path.error().code == ErrorCode::kLimit || path.error().place.column > 0);
    return;
  }
  const PathLimits limits = {.results_max = 1'000, .steps_max = 100'000};
  const auto nodes = path->SelectLocated(page.root(), limits);
  const auto plain = path->Select(page.root(), limits);
  PATRA_ASSERT(nodes.has_value() == plain.has_value());
  const auto over_value = path->Select(Node(value), limits);
  if (!nodes) return;
  PATRA_ASSERT(nodes->size() == plain->size());
  PATRA_ASSERT(!over_value || over_value->size() == plain->size());
  const auto first = path->First(page.root(), limits);
  PATRA_ASSERT(first && first->has_value() == !nodes->empty());
  for (const auto& [node, where] : *nodes) {
    const auto again = JsonPath::Compile(where);
    PATRA_ASSERT(again && again->singular());
    PATRA_ASSERT(DeepEqual(**again->First(page.root()), node));
  }
}

void CheckPattern(std::string_view text) {
  const auto pattern = IRegexp::Compile(text);
  if (!pattern) {
    PATRA_ASSERT(pattern.error().code == ErrorCode::kLimit || pattern.error().place.column > 0);
    return;
  }
  for (const std::string_view subject : {std::string_view("ab\n1"), text}) {
    PATRA_ASSERT(!pattern->MatchesAll(subject) || pattern->MatchesPart(subject));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckPath(text);
  CheckPattern(text);
  return 0;
}
