// pugixml is fast because it believes what it reads: unknown entities, invalid UTF-8, two roots,
// text behind the root, repeated attributes and any depth pass. A page that breaks the rules is a
// page that was cut, mixed up or made by string concatenation, so we read it once by the grammar of
// XML 1.0 before pugixml does. What is left out on purpose: the internal DTD subset (refused), and
// namespace declarations (a prefix without one has no URI).
#include "base/xml_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "base/utf8.h"

namespace patra {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, Lower, Lower);
}

// Encoding -----------------------------------------------------------------------------------

// What windows-1252 has at 0x80…0x9F; 0 where it has nothing. Everywhere else it is ISO-8859-1.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

// The encoding that the XML declaration names; empty if there is none. CheckXml judges the
// declaration's form; here it only has to be found, in bytes whose encoding is not known yet.
std::string_view DeclaredEncoding(std::string_view bytes) {
  constexpr std::size_t kDeclarationBytesMax = 512;
  if (!bytes.starts_with("<?xml") || bytes.size() < 6 || !IsBlank(bytes[5])) return {};
  auto declaration = bytes.substr(0, std::min(bytes.find("?>"), kDeclarationBytesMax));
  const auto word = declaration.find("encoding");
  if (word == std::string_view::npos) return {};
  declaration.remove_prefix(word);
  const auto open = declaration.find_first_of("\"'");
  if (open == std::string_view::npos) return {};
  const auto close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  return declaration.substr(open + 1, close - open - 1);
}

Result<std::string> FromSingleBytes(std::string_view bytes, bool windows) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    char32_t code_point = byte;
    if (windows && byte >= 0x80 && byte < 0xA0) {
      code_point = kWindows1252[byte - 0x80];
      if (code_point == 0) {
        return Fail(ErrorCode::kInvalidInput,
                    fmt::format("byte 0x{:02X} does not exist in windows-1252", byte),
                    PlaceOfOffset(bytes, i));
      }
    }
    AppendUtf8(code_point, text);
  }
  return text;
}

// The name of an encoding of more than one byte per unit, by its mark or by how '<' looks in it.
std::optional<std::string_view> WideEncoding(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv) ||
      bytes.starts_with("<\0"sv) || bytes.starts_with("\0<"sv)) {
    return "UTF-16";
  }
  if (bytes.starts_with("\0\0"sv)) return "UTF-32";
  return std::nullopt;
}

// Characters ---------------------------------------------------------------------------------

bool IsXmlCharacter(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

struct Range {
  char32_t first;
  char32_t last;
};
constexpr Range kNameStart[] = {
    {':', ':'},       {'A', 'Z'},       {'_', '_'},       {'a', 'z'},
    {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},
    {0x37F, 0x1FFF},  {0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF},
    {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}};
constexpr Range kNameMore[] = {{'-', '-'},   {'.', '.'},     {'0', '9'},
                               {0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}};

template <std::size_t kSize>
bool In(const Range (&ranges)[kSize], char32_t c) {
  return std::ranges::any_of(
      ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

constexpr std::array<bool, 256> MakeTable(auto belongs) {
  std::array<bool, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = belongs(static_cast<unsigned char>(byte));
  }
  return table;
}
// Bytes of text and of attribute values that need no second look.
constexpr auto kPlain = MakeTable([](unsigned char byte) {
  return (byte >= 0x20 && byte < 0x80 && byte != '<' && byte != '&' && byte != ']' && byte != '"' &&
          byte != '\'') ||
         byte == '\t' || byte == '\n' || byte == '\r';
});
constexpr auto kAsciiName = MakeTable([](unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == ':' || byte == '-' || byte == '.';
});

// The document -------------------------------------------------------------------------------

// Every function that can find trouble returns false after setting error_.
class Checker {
 public:
  Checker(std::string_view text, const DocumentLimits& limits) : text_(text), limits_(limits) {}

  Result<XmlMeasures> Run() {
    if (Prolog() && Root() && Epilog()) return measures_;
    return std::unexpected(*std::move(error_));
  }

 private:
  struct Open {
    std::string_view name;
    std::size_t children = 0;
  };

  bool Trouble(std::size_t offset, std::string message, std::string hint = {}) {
    error_ = Error{ErrorCode::kInvalidInput, fmt::format("not well-formed XML: {}", message),
                   PlaceOfOffset(text_, offset), std::move(hint)};
    return false;
  }

  bool Limit(std::size_t offset, std::string message) {
    error_ = Error{ErrorCode::kLimit, std::move(message), PlaceOfOffset(text_, offset)};
    return false;
  }

  bool Unexpected(std::string_view expected) {
    if (at_ >= text_.size()) {
      return Trouble(text_.size(), fmt::format("the text ends where {} should be", expected),
                     "the body may be cut off");
    }
    const auto character = DecodeUtf8(text_, at_);
    if (!character.valid()) return InvalidUtf8();
    if (character.code_point <= 0x20 || character.code_point == 0x7F) {
      return Trouble(at_, fmt::format("character 0x{:02X} where {} should be",
                                      static_cast<unsigned>(character.code_point), expected));
    }
    return Trouble(
        at_, fmt::format("'{}' where {} should be", text_.substr(at_, character.length), expected));
  }

  bool InvalidUtf8() {
    return Trouble(
        at_,
        fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(text_[at_])),
        "the page may be in an encoding that it does not declare");
  }

  bool Next(std::string_view piece) const { return text_.substr(at_).starts_with(piece); }
  bool Take(std::string_view piece) {
    if (!Next(piece)) return false;
    at_ += piece.size();
    return true;
  }
  bool SkipBlanks() {
    const auto start = at_;
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
    return at_ > start;
  }

  // One character of content that is not plain ASCII, checked.
  bool Character() {
    const auto character = DecodeUtf8(text_, at_);
    if (!character.valid()) return InvalidUtf8();
    if (!IsXmlCharacter(character.code_point)) {
      return Trouble(at_, fmt::format("character U+{:04X} is not allowed in XML",
                                      static_cast<unsigned>(character.code_point)));
    }
    at_ += character.length;
    return true;
  }

  // Everything up to `end`, which is consumed too.
  bool SkipThrough(std::string_view end, std::size_t start, std::string_view what) {
    while (at_ < text_.size()) {
      if (text_[at_] == end[0] && Take(end)) return true;
      if (kPlain[static_cast<unsigned char>(text_[at_])]) {
        ++at_;
      } else if (!Character()) {
        return false;
      }
    }
    return Trouble(start, fmt::format("the {} that starts here has no end", what),
                   "the body may be cut off");
  }

  bool Name(std::string_view& name, std::string_view expected) {
    const auto start = at_;
    while (at_ < text_.size()) {
      if (kAsciiName[static_cast<unsigned char>(text_[at_])]) {
        if (at_ == start && !In(kNameStart, static_cast<unsigned char>(text_[at_]))) break;
        ++at_;
        continue;
      }
      if (static_cast<unsigned char>(text_[at_]) < 0x80) break;
      const auto character = DecodeUtf8(text_, at_);
      if (!character.valid()) return InvalidUtf8();
      const auto c = character.code_point;
      if (!In(kNameStart, c) && (at_ == start || !In(kNameMore, c))) break;
      at_ += character.length;
    }
    name = text_.substr(start, at_ - start);
    return !name.empty() || Unexpected(expected);
  }

  bool Prolog() {
    if (Next("<?xml") && at_ + 5 < text_.size() && IsBlank(text_[at_ + 5]) && !Declaration()) {
      return false;
    }
    if (!Misc()) return false;
    if (Next("<!DOCTYPE") && !(Doctype() && Misc())) return false;
    return true;
  }

  // <?xml version="1.0" encoding="utf-8" standalone="yes"?>
  bool Declaration() {
    at_ += 5;
    std::size_t next = 0;
    constexpr std::string_view kParts[] = {"version", "encoding", "standalone"};
    while (true) {
      const bool blanks = SkipBlanks();
      if (Take("?>")) return next > 0 || Trouble(at_ - 2, "the XML declaration lacks its version");
      if (!blanks) return Unexpected("a blank or '?>'");
      const auto start = at_;
      std::string_view name;
      if (!Name(name, "a part of the XML declaration")) return false;
      const auto part = std::ranges::find(kParts + next, std::end(kParts), name);
      if (part == std::end(kParts) || (next == 0 && part != kParts)) {
        return Trouble(start, fmt::format("'{}' does not belong here in the XML declaration", name),
                       "version, encoding and standalone come in this order");
      }
      next = static_cast<std::size_t>(part - kParts) + 1;
      std::string_view value;
      if (!EqualsSign() || !Literal(value)) return false;
      if (name == "version" && !value.starts_with("1.")) {
        return Trouble(start, fmt::format("XML version '{}' is unknown", value));
      }
    }
  }

  bool EqualsSign() {
    SkipBlanks();
    if (!Take("=")) return Unexpected("'='");
    SkipBlanks();
    return true;
  }

  // A quoted piece of the prolog, where references mean nothing.
  bool Literal(std::string_view& value) {
    if (!Next("\"") && !Next("'")) return Unexpected("a quote");
    const auto start = at_++;
    if (!SkipThrough(text_.substr(start, 1), start, "literal")) return false;
    value = text_.substr(start + 1, at_ - start - 2);
    return true;
  }

  bool Misc() {
    while (true) {
      SkipBlanks();
      if (Next("<!--")) {
        if (!Comment()) return false;
      } else if (Next("<?")) {
        if (!Instruction()) return false;
      } else {
        return true;
      }
    }
  }

  bool Comment() {
    const auto start = at_;
    at_ += 4;
    if (!SkipThrough("--", start, "comment")) return false;
    return Take(">") || Trouble(at_ - 2, "'--' inside a comment");
  }

  bool Instruction() {
    const auto start = at_;
    at_ += 2;
    std::string_view target;
    if (!Name(target, "the name of a processing instruction")) return false;
    if (EqualsIgnoringCase(target, "xml")) {
      return Trouble(start, "an XML declaration that is not at the start of the page",
                     "something stands before it, or two pages were joined");
    }
    if (!Next("?>") && !SkipBlanks()) return Unexpected("a blank or '?>'");
    return SkipThrough("?>", start, "processing instruction");
  }

  bool Doctype() {
    at_ += 9;
    if (!SkipBlanks()) return Unexpected("a blank");
    std::string_view name;
    if (!Name(name, "the name of the document type")) return false;
    SkipBlanks();
    std::string_view identifier;
    if (Take("PUBLIC")) {
      SkipBlanks();
      if (!Literal(identifier)) return false;
      SkipBlanks();
      if (!Literal(identifier)) return false;
    } else if (Take("SYSTEM")) {
      SkipBlanks();
      if (!Literal(identifier)) return false;
    }
    SkipBlanks();
    if (Next("[")) {
      return Trouble(at_, "the DOCTYPE has an internal subset, which is not accepted",
                     "entities defined there could expand without end");
    }
    return Take(">") || Unexpected("'>'");
  }

  bool Root() {
    if (!Next("<") || Next("</") || Next("<!")) {
      if (at_ >= text_.size()) return Trouble(at_, "there is no root element");
      return Unexpected("the root element");
    }
    if (!StartTag()) return false;
    while (!open_.empty()) {
      if (!Content()) return false;
    }
    return true;
  }

  bool Epilog() {
    if (!Misc()) return false;
    if (at_ >= text_.size()) return true;
    if (Next("<!") || Next("</") || !Next("<")) {
      return Trouble(at_, "something stands after the end of the root element",
                     "two pages may have been joined");
    }
    return Trouble(at_, "a second root element", "two pages may have been joined");
  }

  // One piece of what is inside the innermost open element.
  bool Content() {
    if (at_ >= text_.size()) {
      return Trouble(at_, fmt::format("the text ends inside the element '{}'", open_.back().name),
                     "the body may be cut off");
    }
    if (text_[at_] != '<') return CountNode() && CharacterData();
    if (Next("</")) return EndTag();
    if (Next("<!--")) return Comment();
    if (Next("<![CDATA[")) return CountNode() && CharacterSection();
    if (Next("<?")) return Instruction();
    if (Next("<!")) {
      return Trouble(at_, "a declaration inside an element", "only comments and CDATA may be here");
    }
    return StartTag();
  }

  bool CountNode() {
    if (++measures_.nodes > limits_.nodes_max) {
      return Limit(at_, fmt::format("XML has more than {} nodes", limits_.nodes_max));
    }
    if (!open_.empty()) {
      measures_.children_max = std::max(measures_.children_max, ++open_.back().children);
    }
    return true;
  }

  bool CharacterData() {
    while (at_ < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (kPlain[byte] || byte == '"' || byte == '\'') {
        ++at_;
      } else if (byte == '<') {
        return true;
      } else if (byte == '&') {
        if (!Reference()) return false;
      } else if (byte == ']') {
        if (Next("]]>")) return Trouble(at_, "']]>' outside a CDATA section");
        ++at_;
      } else if (!Character()) {
        return false;
      }
    }
    return true;
  }

  bool CharacterSection() {
    const auto start = at_;
    at_ += 9;
    return SkipThrough("]]>", start, "CDATA section");
  }

  bool Reference() {
    const auto start = at_++;
    if (Take("#")) return CharacterReference(start);
    std::string_view name;
    if (!Name(name, "the name of an entity, or '&amp;' instead of '&',")) return false;
    if (!Take(";")) {
      return Trouble(start, fmt::format("'&{}' without ';'", name), "a bare '&' must be '&amp;'");
    }
    constexpr std::string_view kKnown[] = {"amp", "lt", "gt", "apos", "quot"};
    if (std::ranges::find(kKnown, name) != std::end(kKnown)) return true;
    return Trouble(start, fmt::format("entity '&{};' is unknown", name),
                   "XML has only amp, lt, gt, apos and quot; HTML's are not defined here");
  }

  bool CharacterReference(std::size_t start) {
    const bool hexadecimal = Take("x");
    constexpr std::string_view kDigits = "0123456789abcdef";
    const char32_t base = hexadecimal ? 16 : 10;
    char32_t code_point = 0;
    const auto first_digit = at_;
    for (; at_ < text_.size(); ++at_) {
      const auto digit = kDigits.substr(0, base).find(Lower(text_[at_]));
      if (digit == std::string_view::npos) break;
      code_point = std::min<char32_t>(code_point * base + static_cast<char32_t>(digit), 0x110000);
    }
    if (at_ == first_digit || !Take(";")) return Unexpected("a digit or ';'");
    if (IsXmlCharacter(code_point)) return true;
    return Trouble(start, fmt::format("'{}' is no character of XML",
                                      text_.substr(start, std::min<std::size_t>(at_ - start, 32))));
  }

  bool StartTag() {
    if (!CountNode()) return false;
    if (open_.size() >= static_cast<std::size_t>(limits_.xml_depth_max)) {
      return Limit(at_, fmt::format("XML is nested deeper than {} levels", limits_.xml_depth_max));
    }
    ++at_;
    std::string_view name;
    if (!Name(name, "the name of an element, or '&lt;' instead of '<',")) return false;
    attributes_.clear();
    while (true) {
      const bool blanks = SkipBlanks();
      if (Take("/>")) {
        measures_.depth = std::max(measures_.depth, open_.size() + 1);
        return true;
      }
      if (Take(">")) break;
      if (!blanks) return Unexpected("a blank, '/>' or '>'");
      if (!Attribute()) return false;
    }
    open_.push_back({name});
    measures_.depth = std::max(measures_.depth, open_.size());
    return true;
  }

  bool Attribute() {
    const auto start = at_;
    std::string_view name;
    if (!Name(name, "the name of an attribute")) return false;
    if (std::ranges::find(attributes_, name) != attributes_.end()) {
      return Trouble(start, fmt::format("attribute '{}' appears twice", name));
    }
    if (attributes_.size() >= limits_.attributes_per_element_max) {
      return Limit(start, fmt::format("an element has more than {} attributes",
                                      limits_.attributes_per_element_max));
    }
    attributes_.push_back(name);
    measures_.attributes_max = std::max(measures_.attributes_max, attributes_.size());
    if (++measures_.nodes > limits_.nodes_max) {
      return Limit(start, fmt::format("XML has more than {} nodes", limits_.nodes_max));
    }
    return EqualsSign() && AttributeValue();
  }

  bool AttributeValue() {
    if (!Next("\"") && !Next("'")) return Unexpected("a quote");
    const auto start = at_++;
    const char quote = text_[start];
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (kPlain[static_cast<unsigned char>(c)] || c == ']') {
        ++at_;
      } else if (c == '"' || c == '\'') {
        ++at_;
        if (c == quote) return true;
      } else if (c == '&') {
        if (!Reference()) return false;
      } else if (c == '<') {
        return Trouble(at_, "'<' inside the value of an attribute", "it must be '&lt;'");
      } else if (!Character()) {
        return false;
      }
    }
    return Trouble(start, "the value that starts here has no end", "the body may be cut off");
  }

  bool EndTag() {
    const auto start = at_;
    at_ += 2;
    std::string_view name;
    if (!Name(name, "the name of an element")) return false;
    if (name != open_.back().name) {
      return Trouble(start,
                     fmt::format("'</{}>' where '</{}>' should be", name, open_.back().name));
    }
    SkipBlanks();
    if (!Take(">")) return Unexpected("'>'");
    const auto children = static_cast<double>(open_.back().children);
    measures_.sibling_pairs += children * children;
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const DocumentLimits& limits_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  std::vector<std::string_view> attributes_;  // of the tag being read
  XmlMeasures measures_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::string> XmlToUtf8(std::string bytes) {
  if (const auto wide = WideEncoding(bytes)) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("XML in {} is not supported", *wide),
                PlaceOfOffset(bytes, 0), "ask the provider for UTF-8");
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark)) {  // the mark is stronger than what the declaration says
    bytes.erase(0, kMark.size());
    return bytes;
  }
  const auto encoding = DeclaredEncoding(bytes);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(
        names, [&](std::string_view name) { return EqualsIgnoringCase(name, encoding); });
  };
  if (encoding.empty() || is_one_of({"utf-8", "utf8", "us-ascii", "ascii"})) return bytes;
  if (is_one_of({"iso-8859-1", "latin1", "latin-1"})) return FromSingleBytes(bytes, false);
  if (is_one_of({"windows-1252", "cp1252"})) return FromSingleBytes(bytes, true);
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("XML in the encoding '{}' is not supported", encoding),
              PlaceOfOffset(bytes, static_cast<std::size_t>(encoding.data() - bytes.data())),
              "UTF-8, US-ASCII, ISO-8859-1 and windows-1252 are");
}

Result<XmlMeasures> CheckXml(std::string_view text, const DocumentLimits& limits) {
  return Checker(text, limits).Run();
}

}  // namespace patra
