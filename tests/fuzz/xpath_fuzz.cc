// XPath: any text compiles or is refused with a place; what compiles runs on a small page.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/path.h"

using namespace patra;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto page =
      Document::ParseXml(
          R"(<o:r xmlns:o="urn:o" n="3"><o:a id="1">x<i>y</i></o:a><a xmlns="urn:o">2</a><b/></o:r>)")
          .value();
  static const PathOptions options = {.language = PathLanguage::kXPath,
                                      .namespaces = {{"o", "urn:o"}, {"p", "urn:p"}}};
  const auto path = Path::Compile({reinterpret_cast<const char*>(data), size}, options);
  if (!path) {
    PATRA_ASSERT(path.error().code == ErrorCode::kLimit || path.error().place.column > 0);
    return 0;
  }
  Computed computed;
  const PathLimits limits = {.results_max = 1'000, .steps_max = 1'000'000};
  const auto nodes = path->Select(page.root(), computed, limits);
  const auto first = path->First(page.root(), computed, limits);
  PATRA_ASSERT(nodes.has_value() == first.has_value());
  if (nodes) {
    PATRA_ASSERT(nodes->empty() == !first->has_value());
    for (const auto& node : *nodes) node.Text();
  }
  return 0;
}
