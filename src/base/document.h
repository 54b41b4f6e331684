// Pages as providers send them, parsed once and looked at without copying: JSON (simdjson) and XML
// (pugixml). The same Node also looks at our own Value, so that paths work on all three.
//
//   auto page = PATRA_TRY(Document::ParseJson(std::move(body)));
//   const auto total = page.root().Find("total-results");
//
// A Document may be moved and handed to another thread; its nodes stay valid as long as it lives.
// Reading one Document from several threads at once is fine: nothing changes after parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/number.h"
#include "base/result.h"
#include "base/value.h"

namespace patra {

inline constexpr int kJsonDepthMost = 1024;  // what a limit may be raised to: some code recurses
inline constexpr int kXmlDepthMost = 1024;

struct DocumentLimits {
  std::size_t bytes_max = 64u << 20;
  int json_depth_max = 64;  // containers inside each other; an empty one may be a level deeper
  int xml_depth_max = 256;  // elements inside each other
  std::size_t nodes_max = 8'000'000;  // XML nodes and attributes
  std::size_t attributes_per_element_max = 256;
};

enum class NodeType {
  kNull,
  kBool,
  kNumber,
  kString,
  kArray,
  kObject,
  kElement,  // XML from here on
  kAttribute,
  kText,  // also a CDATA section
};

std::string_view Name(NodeType type);  // "null", "boolean", …, "element", "attribute", "text"

struct Child;
class Children;

// A view of one place in a Document or a Value, valid while that lives. Copying costs nothing.
class Node {
 public:
  Node() = default;  // null
  explicit Node(const Value& value);
  explicit Node(Value&&) = delete;  // the view would outlive it

  NodeType type() const;
  bool is_null() const { return type() == NodeType::kNull; }
  bool is_array() const { return type() == NodeType::kArray; }
  bool is_object() const { return type() == NodeType::kObject; }
  bool is_xml() const { return type() >= NodeType::kElement; }

  // The content if it is of that type. Strings are views into the document; XML has none of these:
  // its content is Text().
  std::optional<bool> AsBool() const;
  std::optional<Number> AsNumber() const;
  std::optional<std::int64_t> AsInteger() const;  // 3.0 is 3
  std::optional<double> AsDouble() const;
  std::optional<std::string_view> AsString() const;

  // Array items, object members or child elements.
  std::size_t size() const;
  Children children() const;

  // The array item of that index, if this is an array that has it.
  std::optional<Node> At(std::size_t index) const;

  // The object's member or the first child element of that (qualified) name. Where a JSON object
  // repeats a name, the first member is the one found.
  std::optional<Node> Find(std::string_view name) const;

  // What a person would read there. A string is itself, numbers and booleans as JSON writes them,
  // null is empty; XML gives its string value: all the text below, in order, CDATA included. Arrays
  // and objects print as JSON.
  std::string Text() const;

  // XML only, empty elsewhere: "oai:record", "record", the URI that the prefix stands for here.
  std::string_view name() const;
  std::string_view local_name() const;
  std::string_view namespace_uri() const;
  std::optional<Node> Attribute(std::string_view name) const;

 private:
  friend struct NodeAccess;  // document_internal.h: how the .cc files reach the libraries' pointers
  friend class Children;

  enum class Backend : std::uint8_t { kValue, kJson, kElement, kAttribute, kText };

  Node(Backend backend, const void* owner, const void* place, std::size_t index)
      : owner_(owner), place_(place), index_(index), backend_(backend) {}

  // kValue: place_ is the Value, or null for null. kJson: owner_ is the simdjson document, index_
  // the position on its tape. XML: owner_ is the XmlTree, place_ the pugixml node (an attribute's
  // parent), index_ the attribute's address.
  const void* owner_ = nullptr;
  const void* place_ = nullptr;
  std::size_t index_ = 0;
  Backend backend_ = Backend::kValue;
};
static_assert(std::is_trivially_copyable_v<Node> && sizeof(Node) <= 32);

struct Child {
  std::string_view name;  // an object member's or an element's name; empty for array items
  Node node;
};

// for (const auto [name, node] : page.root().children()) …
class Children {
 public:
  class Iterator {
   public:
    using value_type = Child;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    Child operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      auto before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.place_ == b.place_ && a.index_ == b.index_ && a.member_ == b.member_;
    }

   private:
    friend class Children;

    enum class Kind : std::uint8_t { kNone, kItems, kMembers, kTapeItems, kTapeMembers, kElements };

    Kind kind_ = Kind::kNone;
    const void* owner_ = nullptr;
    const void* place_ = nullptr;
    std::size_t index_ = 0;
    Value::Object::const_iterator member_{};
  };

  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class Node;
  explicit Children(const Node& parent);

  Iterator begin_;
  Iterator end_;
};

// Compact JSON with members in the document's order and integers in full; XML nodes as the string of
// their text. Recurses as deep as the document is, which its limits bound.
void AppendJson(Node node, std::string& out);

// The node as a document of its own, which parses to the same: JSON for arrays and objects, for an XML element
// its markup with all namespace declarations that hold there, else Text().
std::string Source(Node node);

// RFC 9535 equality: numbers by value, objects whatever the order of their members.
// `steps`, if given, is lowered by what the comparison costs; at zero the answer is false.
bool DeepEqual(Node a, Node b, std::uint64_t* steps = nullptr);

// A copy that owns its content. Integers above 2^63 become doubles, as in ParseJson. An XML element
// becomes its text, or, where it has attributes or child elements, an object: "@name" for
// attributes, names for child elements (an array where they repeat), "#text" for text among them.
Result<Value> ToValue(Node node, std::size_t nodes_max = 1'000'000);

class Document {
 public:
  // Strict JSON (RFC 8259), except that
  // - a byte order mark at the start is skipped: RFC 8259 §8.1 allows it, some servers send it;
  // - a repeated name in an object passes, and the first member is the one found;
  // - an integer of more than 64 bits becomes the nearest double.
  // Numbers outside double's range, lone surrogates and invalid UTF-8 are errors. Errors have line
  // and column. For pages of records base/json_salvage.h keeps the healthy ones.
  static Result<Document> ParseJson(std::string bytes, DocumentLimits limits = {});

  // Well-formed XML 1.0 in UTF-8, US-ASCII, ISO-8859-1 or windows-1252 (the latter two are
  // converted; columns then count bytes of UTF-8). A DOCTYPE may name an external subset, which is
  // never fetched; an internal subset is refused, and so is every entity but the five predefined
  // ones. Errors have line and column.
  static Result<Document> ParseXml(std::string bytes, DocumentLimits limits = {});

  static Document Of(Value value);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  Node root() const;  // for XML the document element

 private:
  friend struct DocumentAccess;  // document_internal.h
  struct Content;
  explicit Document(std::unique_ptr<Content> content);

  std::unique_ptr<Content> content_;
};

}  // namespace patra
