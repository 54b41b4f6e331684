// XML pages by pugixml, after CheckXml found nothing wrong with them.
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/document_internal.h"
#include "base/xml_text.h"

namespace patra {
namespace {

bool DeclaresNamespace(std::string_view attribute) {
  return attribute == "xmlns" || attribute.starts_with("xmlns:");
}

// What an element inherits from those around it would be lost with them.
void DeclareInherited(pugi::xml_node original, pugi::xml_node copy) {
  for (auto around = original.parent(); around; around = around.parent()) {
    for (const auto attribute : around.attributes()) {
      if (!DeclaresNamespace(attribute.name()) || copy.attribute(attribute.name())) continue;
      copy.append_attribute(attribute.name()).set_value(attribute.value());
    }
  }
}

}  // namespace

std::string Source(Node node) {
  if (node.type() != NodeType::kElement) return node.Text();
  const auto element = NodeAccess::Xml(node);
  pugi::xml_document document;
  DeclareInherited(element, document.append_copy(element));
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(out).str();
}

Result<std::unique_ptr<XmlTree>> ParseXmlBytes(std::string bytes, const DocumentLimits& limits) {
  if (bytes.size() > limits.bytes_max) {
    return Fail(ErrorCode::kLimit, fmt::format("XML of {} bytes is larger than the limit of {}",
                                               bytes.size(), limits.bytes_max));
  }
  if (limits.xml_depth_max < 1 || limits.xml_depth_max > kXmlDepthMost) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("a depth limit of {} is outside 1…{}",
                                                      limits.xml_depth_max, kXmlDepthMost));
  }
  auto text = PATRA_TRY(XmlToUtf8(std::move(bytes)));
  const auto measures = PATRA_TRY(CheckXml(text, limits));

  // Blank text is kept: between two elements of mixed content it is a word boundary. Comments and
  // processing instructions are dropped, which joins nothing: the text around them stays in pieces.
  constexpr unsigned kFlags = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol |
                              pugi::parse_wconv_attribute | pugi::parse_ws_pcdata;
  auto tree = std::make_unique<XmlTree>();
  tree->bytes = std::move(text);
  tree->measures = measures;
  const auto parsed = tree->document.load_buffer_inplace(tree->bytes.data(), tree->bytes.size(),
                                                         kFlags, pugi::encoding_utf8);
  if (parsed.status == pugi::status_out_of_memory) {
    return Fail(ErrorCode::kLimit,
                fmt::format("no memory for {} bytes of XML", tree->bytes.size()));
  }
  if (!parsed) {
    return Fail(
        ErrorCode::kInternal,
        fmt::format("pugixml refuses a page that passed every check: {}", parsed.description()));
  }
  return tree;
}

}  // namespace patra
