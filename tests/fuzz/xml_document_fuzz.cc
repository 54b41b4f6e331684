// XML pages: what the strict reader passes, pugixml must take too, and see the same tree.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/document.h"
#include "base/document_internal.h"

using namespace patra;

namespace {

// Elements, attributes and text, as CheckXml counts them.
std::size_t CountNodes(pugi::xml_node node) {
  std::size_t count = 1;
  for ([[maybe_unused]] const auto attribute : node.attributes()) ++count;
  for (const auto child : node.children()) count += CountNodes(child);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document = Document::ParseXml(std::string(reinterpret_cast<const char*>(data), size));
  if (!document) {
    PATRA_ASSERT(document.error().code != ErrorCode::kInternal);
    PATRA_ASSERT(document.error().place.line > 0);
    return 0;
  }
  const auto root = document->root();
  PATRA_ASSERT(!root.name().empty());
  PATRA_ASSERT(ToValue(root).has_value());
  root.Text();
  const auto& tree = *NodeAccess::Tree(root);
  PATRA_ASSERT(CountNodes(tree.document) - 1 <= tree.measures.nodes);
  return 0;
}
