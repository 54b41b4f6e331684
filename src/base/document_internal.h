// What a Document holds, and how the .cc files beside it get from a Node to the libraries' types.
// Include it only from .cc files of this folder.
#pragma once

#include <memory>
#include <string>

#include <pugixml.hpp>

#include "base/document.h"
#include "base/xml_text.h"

namespace simdjson::dom {
class document;
}

namespace patra {

// A parsed XML page, and the measures that tell what a path over it may cost.
struct XmlTree {
  std::string bytes;  // pugixml parses in place: names and text are pieces of this
  pugi::xml_document document;
  XmlMeasures measures;
};

// simdjson's documents, whose buffers are worth keeping: see json_document.cc.
struct ReturnJsonDocument {
  void operator()(simdjson::dom::document* document) const;
};
using JsonDocument = std::unique_ptr<simdjson::dom::document, ReturnJsonDocument>;

struct Document::Content {
  JsonDocument json;
  std::unique_ptr<XmlTree> xml;
  Value value;
  Node root;
};

// Without a copy where the bytes have some room behind them.
Result<JsonDocument> ParseJsonBytes(const std::string& bytes, const DocumentLimits& limits);
Result<std::unique_ptr<XmlTree>> ParseXmlBytes(std::string bytes, const DocumentLimits& limits);

struct DocumentAccess {
  static Document Of(JsonDocument parsed);
};

struct NodeAccess {
  static Node OfTape(const simdjson::dom::document* document, std::size_t index) {
    return {Node::Backend::kJson, document, nullptr, index};
  }
  static Node OfXml(const XmlTree* tree, pugi::xml_node node) {
    const auto backend = node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata
                             ? Node::Backend::kText
                             : Node::Backend::kElement;
    return {backend, tree, node.internal_object(), 0};
  }
  static Node OfXml(const XmlTree* tree, pugi::xml_node parent, pugi::xml_attribute attribute) {
    return {Node::Backend::kAttribute, tree, parent.internal_object(),
            reinterpret_cast<std::size_t>(attribute.internal_object())};
  }

  // REQUIRES: node.is_xml()
  static const XmlTree* Tree(Node node) { return static_cast<const XmlTree*>(node.owner_); }
  static pugi::xml_node Xml(Node node) {  // an attribute's parent
    // pugixml's handles are of mutable nodes; nobody here changes one.
    return pugi::xml_node(
        const_cast<pugi::xml_node_struct*>(static_cast<const pugi::xml_node_struct*>(node.place_)));
  }
  static pugi::xml_attribute Attribute(Node node) {
    return pugi::xml_attribute(reinterpret_cast<pugi::xml_attribute_struct*>(node.index_));
  }
};

}  // namespace patra
