#include "base/document.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/document_internal.h"
#include "base/json_tape_internal.h"

namespace patra {
namespace {

constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";

const tape::Tape& TapeOf(const void* owner) { return *static_cast<const tape::Tape*>(owner); }

std::string_view LocalPart(std::string_view qualified) {
  return qualified.substr(qualified.find(':') + 1);  // npos + 1 is 0: no prefix
}

std::string_view Prefix(std::string_view qualified) {
  const auto colon = qualified.find(':');
  return colon == std::string_view::npos ? std::string_view() : qualified.substr(0, colon);
}

// The URI that the prefix ("" for the default namespace) stands for at that element.
std::string_view NamespaceAt(pugi::xml_node element, std::string_view prefix) {
  if (prefix == "xml") return kXmlNamespace;
  for (; element; element = element.parent()) {
    for (auto attribute = element.first_attribute(); attribute;
         attribute = attribute.next_attribute()) {
      std::string_view name = attribute.name();
      if (!name.starts_with("xmlns")) continue;
      name.remove_prefix(5);
      const bool declares =
          prefix.empty() ? name.empty() : name.starts_with(':') && name.substr(1) == prefix;
      if (declares) return attribute.value();
    }
  }
  return {};
}

bool IsText(pugi::xml_node node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}

pugi::xml_node FirstElement(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return node;
}

void AppendText(pugi::xml_node node, std::string& out) {
  for (const auto child : node.children()) {
    if (IsText(child)) {
      out += child.value();
    } else {
      AppendText(child, out);
    }
  }
}

}  // namespace

std::string_view Name(NodeType type) {
  switch (type) {
    case NodeType::kNull:
      return "null";
    case NodeType::kBool:
      return "boolean";
    case NodeType::kNumber:
      return "number";
    case NodeType::kString:
      return "string";
    case NodeType::kArray:
      return "array";
    case NodeType::kObject:
      return "object";
    case NodeType::kElement:
      return "element";
    case NodeType::kAttribute:
      return "attribute";
    case NodeType::kText:
      return "text";
  }
  return "unknown";
}

Node::Node(const Value& value) : place_(&value) {}

NodeType Node::type() const {
  switch (backend_) {
    case Backend::kJson:
      switch (tape::Type(TapeOf(owner_), index_)) {
        case '{':
          return NodeType::kObject;
        case '[':
          return NodeType::kArray;
        case '"':
          return NodeType::kString;
        case 'l':
        case 'u':
        case 'd':
          return NodeType::kNumber;
        case 't':
        case 'f':
          return NodeType::kBool;
        default:
          return NodeType::kNull;
      }
    case Backend::kElement:
      return NodeType::kElement;
    case Backend::kAttribute:
      return NodeType::kAttribute;
    case Backend::kText:
      return NodeType::kText;
    case Backend::kValue:
      break;
  }
  const auto* value = static_cast<const Value*>(place_);
  if (value == nullptr || value->is_null()) return NodeType::kNull;
  if (value->AsBool() != nullptr) return NodeType::kBool;
  if (value->AsString() != nullptr) return NodeType::kString;
  if (value->AsArray() != nullptr) return NodeType::kArray;
  return value->AsObject() != nullptr ? NodeType::kObject : NodeType::kNumber;
}

std::optional<bool> Node::AsBool() const {
  if (backend_ == Backend::kJson) {
    const char type = tape::Type(TapeOf(owner_), index_);
    if (type == 't') return true;
    if (type == 'f') return false;
  } else if (backend_ == Backend::kValue && place_ != nullptr) {
    if (const auto* flag = static_cast<const Value*>(place_)->AsBool()) return *flag;
  }
  return std::nullopt;
}

std::optional<Number> Node::AsNumber() const {
  if (backend_ == Backend::kJson) {
    const auto& tape = TapeOf(owner_);
    switch (tape::Type(tape, index_)) {
      case 'l':
        return Number(tape::Number<std::int64_t>(tape, index_));
      case 'u':
        return Number(tape::Number<std::uint64_t>(tape, index_));
      case 'd':
        return Number(tape::Number<double>(tape, index_));
      default:
        return std::nullopt;
    }
  }
  if (backend_ == Backend::kValue && place_ != nullptr) {
    const auto* value = static_cast<const Value*>(place_);
    if (const auto* integer = value->AsInteger()) return Number(*integer);
    if (const auto* number = value->AsDouble()) return Number(*number);
  }
  return std::nullopt;
}

std::optional<std::int64_t> Node::AsInteger() const {
  const auto number = AsNumber();
  return number ? number->AsInteger() : std::nullopt;
}

std::optional<double> Node::AsDouble() const {
  const auto number = AsNumber();
  if (!number) return std::nullopt;
  return number->AsDouble();
}

std::optional<std::string_view> Node::AsString() const {
  if (backend_ == Backend::kJson) {
    const auto& tape = TapeOf(owner_);
    if (tape::Type(tape, index_) == '"') return tape::Text(tape, index_);
  } else if (backend_ == Backend::kValue && place_ != nullptr) {
    if (const auto* text = static_cast<const Value*>(place_)->AsString()) return *text;
  }
  return std::nullopt;
}

std::size_t Node::size() const {
  if (backend_ == Backend::kJson) {
    const auto& tape = TapeOf(owner_);
    const char type = tape::Type(tape, index_);
    return type == '{' || type == '[' ? tape::Size(tape, index_) : 0;
  }
  if (backend_ == Backend::kElement) {
    const auto all = children();
    return static_cast<std::size_t>(std::distance(all.begin(), all.end()));
  }
  if (backend_ == Backend::kValue && place_ != nullptr) {
    const auto* value = static_cast<const Value*>(place_);
    if (const auto* items = value->AsArray()) return items->size();
    if (const auto* members = value->AsObject()) return members->size();
  }
  return 0;
}

Children Node::children() const { return Children(*this); }

std::optional<Node> Node::At(std::size_t index) const {
  if (backend_ == Backend::kJson) {
    const auto& tape = TapeOf(owner_);
    if (tape::Type(tape, index_) != '[') return std::nullopt;
    const auto found = tape::Item(tape, index_, index);
    if (!found) return std::nullopt;
    return NodeAccess::OfTape(&tape, *found);
  }
  if (backend_ == Backend::kValue && place_ != nullptr) {
    const auto* items = static_cast<const Value*>(place_)->AsArray();
    if (items != nullptr && index < items->size()) return Node((*items)[index]);
  }
  return std::nullopt;
}

std::optional<Node> Node::Find(std::string_view name) const {
  if (backend_ == Backend::kJson) {
    const auto& tape = TapeOf(owner_);
    if (tape::Type(tape, index_) != '{') return std::nullopt;
    const auto found = tape::Member(tape, index_, name);
    if (!found) return std::nullopt;
    return NodeAccess::OfTape(&tape, *found);
  }
  if (backend_ == Backend::kValue && place_ != nullptr) {
    const auto* member = static_cast<const Value*>(place_)->Find(name);
    if (member != nullptr) return Node(*member);
  } else if (backend_ == Backend::kElement) {
    for (const auto [child_name, child] : children()) {
      if (child_name == name) return child;
    }
  }
  return std::nullopt;
}

void AppendJson(Node node, std::string& out) {
  if (const auto text = node.AsString()) {
    AppendJsonString(*text, out);
  } else if (node.is_xml()) {
    AppendJsonString(node.Text(), out);
  } else if (node.is_array() || node.is_object()) {
    out += node.is_array() ? '[' : '{';
    bool first = true;
    for (const auto [name, child] : node.children()) {
      if (!first) out += ',';
      first = false;
      if (node.is_object()) {
        AppendJsonString(name, out);
        out += ':';
      }
      AppendJson(child, out);
    }
    out += node.is_array() ? ']' : '}';
  } else {
    out += node.is_null() ? "null" : node.Text();
  }
}

std::string Node::Text() const {
  std::string out;
  switch (type()) {
    case NodeType::kNull:
      break;
    case NodeType::kBool:
      out = *AsBool() ? "true" : "false";
      break;
    case NodeType::kNumber:
      // Integers in full: an id of 19 digits must not be rounded on its way to text.
      if (const auto integer = AsInteger()) {
        out = fmt::format_int(*integer).str();
      } else if (backend_ == Backend::kJson && tape::Type(TapeOf(owner_), index_) == 'u') {
        out = fmt::format_int(tape::Number<std::uint64_t>(TapeOf(owner_), index_)).str();
      } else {
        AppendJsonNumber(*AsDouble(), out);
      }
      break;
    case NodeType::kString:
      out = *AsString();
      break;
    case NodeType::kArray:
    case NodeType::kObject:
      AppendJson(*this, out);
      break;
    case NodeType::kElement:
      AppendText(NodeAccess::Xml(*this), out);
      break;
    case NodeType::kAttribute:
      out = NodeAccess::Attribute(*this).value();
      break;
    case NodeType::kText:
      out = NodeAccess::Xml(*this).value();
      break;
  }
  return out;
}

std::string_view Node::name() const {
  if (backend_ == Backend::kElement) return NodeAccess::Xml(*this).name();
  if (backend_ == Backend::kAttribute) return NodeAccess::Attribute(*this).name();
  return {};
}

std::string_view Node::local_name() const { return LocalPart(name()); }

std::string_view Node::namespace_uri() const {
  if (backend_ != Backend::kElement && backend_ != Backend::kAttribute) return {};
  const auto prefix = Prefix(name());
  // An attribute without a prefix is in no namespace, whatever the default one is.
  if (backend_ == Backend::kAttribute && prefix.empty()) return {};
  return NamespaceAt(NodeAccess::Xml(*this), prefix);
}

std::optional<Node> Node::Attribute(std::string_view name) const {
  if (backend_ != Backend::kElement) return std::nullopt;
  const auto element = NodeAccess::Xml(*this);
  for (const auto attribute : element.attributes()) {
    if (attribute.name() == name) {
      return NodeAccess::OfXml(NodeAccess::Tree(*this), element, attribute);
    }
  }
  return std::nullopt;
}

// Children -----------------------------------------------------------------------------------

Children::Children(const Node& parent) {
  using Kind = Iterator::Kind;
  if (parent.backend_ == Node::Backend::kJson) {
    const auto& tape = TapeOf(parent.owner_);
    const char type = tape::Type(tape, parent.index_);
    if (type != '{' && type != '[') return;
    begin_.kind_ = type == '{' ? Kind::kTapeMembers : Kind::kTapeItems;
    begin_.owner_ = parent.owner_;
    begin_.index_ = parent.index_ + 1;
    end_ = begin_;
    end_.index_ = tape::Close(tape, parent.index_);
  } else if (parent.backend_ == Node::Backend::kElement) {
    begin_.kind_ = Kind::kElements;
    begin_.owner_ = parent.owner_;
    begin_.place_ = FirstElement(NodeAccess::Xml(parent).first_child()).internal_object();
  } else if (parent.backend_ == Node::Backend::kValue && parent.place_ != nullptr) {
    const auto* value = static_cast<const Value*>(parent.place_);
    if (const auto* items = value->AsArray()) {
      begin_.kind_ = Kind::kItems;
      begin_.place_ = items->data();
      end_.place_ = items->data() + items->size();
    } else if (const auto* members = value->AsObject()) {
      begin_.kind_ = Kind::kMembers;
      begin_.member_ = members->begin();
      end_.member_ = members->end();
    }
  }
}

Child Children::Iterator::operator*() const {
  switch (kind_) {
    case Kind::kItems:
      return {{}, Node(*static_cast<const Value*>(place_))};
    case Kind::kMembers:
      return {member_->first, Node(member_->second)};
    case Kind::kTapeItems:
      return {{}, NodeAccess::OfTape(&TapeOf(owner_), index_)};
    case Kind::kTapeMembers:
      return {tape::Text(TapeOf(owner_), index_), NodeAccess::OfTape(&TapeOf(owner_), index_ + 1)};
    case Kind::kElements: {
      const Node node(Node::Backend::kElement, owner_, place_, 0);
      return {node.name(), node};
    }
    case Kind::kNone:
      break;
  }
  return {};
}

Children::Iterator& Children::Iterator::operator++() {
  switch (kind_) {
    case Kind::kItems:
      place_ = static_cast<const Value*>(place_) + 1;
      break;
    case Kind::kMembers:
      ++member_;
      break;
    case Kind::kTapeItems:
      index_ = tape::After(TapeOf(owner_), index_);
      break;
    case Kind::kTapeMembers:
      index_ = tape::After(TapeOf(owner_), index_ + 1);
      break;
    case Kind::kElements: {
      const Node node(Node::Backend::kElement, owner_, place_, 0);
      place_ = FirstElement(NodeAccess::Xml(node).next_sibling()).internal_object();
      break;
    }
    case Kind::kNone:
      break;
  }
  return *this;
}

// Comparing and copying ----------------------------------------------------------------------

bool DeepEqual(Node a, Node b, std::uint64_t* steps) {
  if (steps != nullptr) {
    if (*steps == 0) return false;
    --*steps;
  }
  const auto type = a.type();
  if (type != b.type()) return false;
  switch (type) {
    case NodeType::kNull:
      return true;
    case NodeType::kBool:
      return a.AsBool() == b.AsBool();
    case NodeType::kNumber:
      return *a.AsNumber() == *b.AsNumber();
    case NodeType::kString:
      return a.AsString() == b.AsString();
    case NodeType::kArray:
      return a.size() == b.size() &&
             std::ranges::equal(a.children(), b.children(), [&](const Child& x, const Child& y) {
               return DeepEqual(x.node, y.node, steps);
             });
    case NodeType::kObject: {
      if (a.size() != b.size()) return false;
      for (const auto [name, member] : a.children()) {
        // Finding a member takes a walk over the other object.
        if (steps != nullptr) *steps -= std::min<std::uint64_t>(*steps, b.size());
        const auto other = b.Find(name);
        if (!other || !DeepEqual(member, *other, steps)) return false;
      }
      return true;
    }
    default:
      return a.Text() == b.Text();
  }
}

namespace {

// Copies a node, counting what it makes.
class Copier {
 public:
  explicit Copier(std::size_t nodes_max) : nodes_max_(nodes_max) {}

  Result<Value> Copy(Node node) {
    if (nodes_++ >= nodes_max_) {
      return Fail(ErrorCode::kLimit, fmt::format("more than {} values to copy", nodes_max_));
    }
    switch (node.type()) {
      case NodeType::kNull:
        return Value();
      case NodeType::kBool:
        return Value(*node.AsBool());
      case NodeType::kNumber:
        return CopyNumber(node);
      case NodeType::kString:
        return Value(*node.AsString());
      case NodeType::kArray:
        return CopyArray(node);
      case NodeType::kObject:
        return CopyObject(node);
      case NodeType::kElement:
        return CopyElement(node);
      case NodeType::kAttribute:
      case NodeType::kText:
        return Value(node.Text());
    }
    return Value();
  }

 private:
  static Value CopyNumber(Node node) {
    // A double stays one even where it is whole, so that a copy compares equal to its origin.
    const auto number = *node.AsNumber();
    const auto integer = number.AsInteger();
    return integer && number.is_integer() ? Value(*integer) : Value(number.AsDouble());
  }

  Result<Value> CopyArray(Node node) {
    Value::Array items;
    items.reserve(std::min(node.size(), nodes_max_));
    for (const auto& [name, item] : node.children()) items.push_back(PATRA_TRY(Copy(item)));
    return Value(std::move(items));
  }

  Result<Value> CopyObject(Node node) {
    Value::Object members;
    for (const auto& [name, member] : node.children()) {
      // The first of a repeated name is the one that Find finds.
      if (members.contains(name)) continue;
      auto copy = PATRA_TRY(Copy(member));
      members.emplace(name, std::move(copy));
    }
    return Value(std::move(members));
  }

  Result<Value> CopyElement(Node node) {
    const auto element = NodeAccess::Xml(node);
    Value::Object members;
    for (const auto attribute : element.attributes()) {
      ++nodes_;
      members.emplace(fmt::format("@{}", attribute.name()), Value(attribute.value()));
    }
    const auto kids = node.children();
    if (members.empty() && kids.begin() == kids.end()) return Value(node.Text());

    for (const auto& [name, child] : kids) {
      auto copy = PATRA_TRY(Copy(child));
      AddRepeatable(members, name, std::move(copy));
    }
    if (auto text = TextAmong(element); !text.empty()) members.emplace("#text", std::move(text));
    return Value(std::move(members));
  }

  static void AddRepeatable(Value::Object& members, std::string_view name, Value copy) {
    const auto found = members.find(name);
    if (found == members.end()) {
      members.emplace(name, std::move(copy));
    } else if (auto* items = found->second.AsArray()) {
      items->push_back(std::move(copy));
    } else {
      Value::Array both;
      both.push_back(std::move(found->second));
      both.push_back(std::move(copy));
      found->second = Value(std::move(both));
    }
  }

  // The element's own text, unless it is only the indentation between its children.
  static std::string TextAmong(pugi::xml_node element) {
    std::string text;
    for (const auto child : element.children()) {
      if (IsText(child)) text += child.value();
    }
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
    return blank ? std::string() : text;
  }

  std::size_t nodes_ = 0;
  std::size_t nodes_max_;
};

}  // namespace

Result<Value> ToValue(Node node, std::size_t nodes_max) { return Copier(nodes_max).Copy(node); }

// Document -----------------------------------------------------------------------------------

Document::Document(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> Document::ParseJson(std::string bytes, DocumentLimits limits) {
  return DocumentAccess::Of(PATRA_TRY(ParseJsonBytes(bytes, limits)));
}

Document DocumentAccess::Of(JsonDocument parsed) {
  auto content = std::make_unique<Document::Content>();
  content->json = std::move(parsed);
  content->root = NodeAccess::OfTape(content->json.get(), tape::kRoot);
  return Document(std::move(content));
}

Result<Document> Document::ParseXml(std::string bytes, DocumentLimits limits) {
  auto content = std::make_unique<Content>();
  content->xml = PATRA_TRY(ParseXmlBytes(std::move(bytes), limits));
  content->root = NodeAccess::OfXml(content->xml.get(), content->xml->document.document_element());
  return Document(std::move(content));
}

Document Document::Of(Value value) {
  auto content = std::make_unique<Content>();
  content->value = std::move(value);
  content->root = Node(content->value);
  return Document(std::move(content));
}

Node Document::root() const {
  PATRA_ASSERT(content_ != nullptr);  // else it was moved from
  return content_->root;
}

}  // namespace patra
