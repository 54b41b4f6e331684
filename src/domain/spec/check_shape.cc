#include <fmt/format.h>

#include "base/close_match.h"
#include "base/date_pattern.h"
#include "base/duration.h"
#include "base/i_regexp.h"
#include "base/moment.h"
#include "base/template.h"
#include "base/time_zone.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"
#include "domain/spec/template_names.h"

namespace patra::domain {
namespace {

std::string Escaped(std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

template <typename T>
Result<void> OnlyError(Result<T> result) {
  if (result) return {};
  return std::unexpected(std::move(result).error());
}

Result<void> CheckScalar(const std::string& text, const Shape& shape) {
  switch (shape.scalar) {
    case ScalarKind::kText:
    case ScalarKind::kPath:  // needs the format of the response: the compiler looks at it
    case ScalarKind::kReferenceOrText:
      return {};
    case ScalarKind::kName:
      return CheckName(text);
    case ScalarKind::kInteger:
      return OnlyError(ParseWholeNumber(text));
    case ScalarKind::kNumber:
      return OnlyError(ParseNumber(text));
    case ScalarKind::kPart:
      return OnlyError(ParsePart(text));
    case ScalarKind::kFlag:
      if (text == "true" || text == "false") return {};
      return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is neither true nor false", text));
    case ScalarKind::kDuration:
      return OnlyError(ParseDuration(text));
    case ScalarKind::kWidths:
      return OnlyError(ParseWidths(text));
    case ScalarKind::kMoment:
      return OnlyError(ParseMoment(text, Instant()));
    case ScalarKind::kRate:
      return OnlyError(ParseRate(text));
    case ScalarKind::kStatus:
      return OnlyError(ParseStatus(text));
    case ScalarKind::kTemplate:
      return OnlyError(Template::Compile(text, {.roots = TemplateRoots()}));
    case ScalarKind::kUrl:
      if (text.starts_with("https://") || text.starts_with("http://")) return {};
      return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is not a URL", text), {},
                  "it begins with https://");
    case ScalarKind::kReference:
      return OnlyError(ParseReference(text));
    case ScalarKind::kPattern:
      return OnlyError(IRegexp::Compile(text));
    case ScalarKind::kDatePattern:
      return OnlyError(DatePattern::Compile(text));
    case ScalarKind::kTimezone:
      return OnlyError(TimeZone::Find(text));
    case ScalarKind::kCode:
      for (const auto& code : shape.codes) {
        if (code == text) return {};
      }
      return Fail(
          ErrorCode::kInvalidInput, fmt::format("'{}' is not a known value", text), {},
          DidYouMean(text, shape.codes, fmt::format("one of {}", fmt::join(shape.codes, ", "))));
  }
  return {};
}

class Checking {
 public:
  Checking(std::vector<Error>& problems, bool is_part) : problems_(problems), is_part_(is_part) {}

  DefinitionNode Check(const DefinitionNode& node, const Shape& shape, const std::string& pointer) {
    // A null unsets what a weaker level says, wherever it stands.
    if (node.is_null()) return node;
    switch (shape.kind) {
      case Shape::Kind::kScalar:
        return CheckScalarNode(node, shape, pointer);
      case Shape::Kind::kMap:
        return CheckMap(node, shape, pointer);
      case Shape::Kind::kEntries:
        return CheckEntries(node, shape, pointer);
      case Shape::Kind::kList:
        return CheckList(node, shape, pointer);
      case Shape::Kind::kTree:
        CheckTree(node, pointer);
        return node;
    }
    return node;
  }

 private:
  void Complain(const DefinitionNode& node, const std::string& pointer, std::string message,
                std::string hint = {}) {
    auto place = node.place;
    place.pointer = pointer;
    problems_.push_back(
        {ErrorCode::kInvalidInput, std::move(message), std::move(place), std::move(hint)});
  }

  DefinitionNode CheckScalarNode(const DefinitionNode& node, const Shape& shape,
                                 const std::string& pointer) {
    if (!node.is_scalar()) {
      Complain(node, pointer, "a single value is expected here");
      return {};
    }
    if (const auto fits = CheckScalar(node.text, shape); !fits) {
      Complain(node, pointer, fits.error().message, fits.error().hint);
      return {};
    }
    return node;
  }

  DefinitionNode CheckMap(const DefinitionNode& node, const Shape& shape,
                          const std::string& pointer) {
    if (!shape.none_word.empty() && node.is_scalar() && node.text == shape.none_word) return node;
    if (!shape.short_form.empty() && node.is_scalar())
      return Spelt(node, shape.short_form, shape, pointer);
    if (!shape.list_form.empty() && node.is_list())
      return Spelt(node, shape.list_form, shape, pointer);
    if (!node.is_map()) {
      Complain(node, pointer, "keys and values are expected here");
      return {};
    }
    auto checked = DefinitionNode::Map(node.place);
    checked.layer = node.layer;
    for (const auto& member : node.members) {
      const auto* key = KeyOf(shape, member.name);
      const auto at = pointer + "/" + Escaped(member.name);
      if (key == nullptr) {
        ComplainAboutKey(member, shape, at);
        // What is meant is not missing as well.
        if (const auto* meant = MeantKey(node, shape, member.name))
          checked.Set(meant->name, Check(member.node, meant->shape, at));
        continue;
      }
      checked.Set(member.name, Check(member.node, key->shape, at));
    }
    for (const auto& key : shape.keys) {
      const bool is_there = node.Find(key.name) != nullptr || checked.Find(key.name) != nullptr;
      if (key.required && !is_part_ && !is_there)
        Complain(node, pointer, fmt::format("'{}' is missing", key.name), key.doc);
    }
    return checked;
  }

  DefinitionNode Spelt(const DefinitionNode& node, const std::string& key, const Shape& shape,
                       const std::string& pointer) {
    auto map = DefinitionNode::Map(node.place);
    map.layer = node.layer;
    map.Set(key, node);
    return CheckMap(map, shape, pointer);
  }

  static const Key* KeyOf(const Shape& shape, std::string_view name) {
    for (const auto& key : shape.keys) {
      if (key.name == name) return &key;
    }
    return nullptr;
  }

  // The key that a mistyped one stands for, unless the map has that, too.
  static const Key* MeantKey(const DefinitionNode& map, const Shape& shape, std::string_view name) {
    std::vector<std::string_view> known;
    for (const auto& key : shape.keys) known.push_back(key.name);
    const auto meant = CloseMatch(name, known);
    return meant && map.Find(*meant) == nullptr ? KeyOf(shape, *meant) : nullptr;
  }

  void ComplainAboutKey(const DefinitionMember& member, const Shape& shape, const std::string& at) {
    std::vector<std::string_view> known;
    for (const auto& key : shape.keys) known.push_back(key.name);
    auto place = member.place;
    place.pointer = at;
    problems_.push_back(
        {ErrorCode::kInvalidInput, fmt::format("'{}' is not a known key", member.name),
         std::move(place),
         DidYouMean(member.name, known, fmt::format("known here: {}", fmt::join(known, ", ")))});
  }

  DefinitionNode CheckEntries(const DefinitionNode& node, const Shape& shape,
                              const std::string& pointer) {
    if (shape.names_suffice && node.is_list())
      return CheckEntries(NamesAsPaths(node), shape, pointer);
    if (!node.is_map()) {
      Complain(node, pointer, "names and values are expected here");
      return {};
    }
    auto checked = DefinitionNode::Map(node.place);
    checked.layer = node.layer;
    for (const auto& member : node.members) {
      const auto at = pointer + "/" + Escaped(member.name);
      if (shape.checks_names) {
        const auto name = DefinitionNode::Text(member.name, member.place);
        CheckScalarNode(name, Shape{.scalar = ScalarKind::kName}, at);
      }
      checked.Set(member.name, Check(member.node, *shape.of, at));
    }
    return checked;
  }

  // fields: [ts_code, open] is short for {ts_code: $['ts_code'], open: $['open']}.
  static DefinitionNode NamesAsPaths(const DefinitionNode& list) {
    auto map = DefinitionNode::Map(list.place);
    for (const auto& name : list.items) {
      map.Set(name.text, DefinitionNode::Text(fmt::format("$['{}']", name.text), name.place));
    }
    SetLayer(map, list.layer);
    return map;
  }

  DefinitionNode CheckList(const DefinitionNode& node, const Shape& shape,
                           const std::string& pointer) {
    auto list = node;
    if (shape.one_or_many && !node.is_list()) {
      list = DefinitionNode{
          .kind = DefinitionNode::Kind::kList, .place = node.place, .layer = node.layer};
      list.items.push_back(node);
    }
    if (!list.is_list()) {
      Complain(node, pointer, "a list is expected here");
      return {};
    }
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      list.items[i] = Check(
          list.items[i], *shape.of,
          list.items.size() == 1 && !node.is_list() ? pointer : fmt::format("{}/{}", pointer, i));
    }
    return list;
  }

  void CheckTree(const DefinitionNode& node, const std::string& pointer) {
    if (node.is_scalar() && node.scalar.AsString() != nullptr) {
      CheckScalarNode(node, Shape{.scalar = ScalarKind::kTemplate}, pointer);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      CheckTree(node.items[i], fmt::format("{}/{}", pointer, i));
    for (const auto& member : node.members)
      CheckTree(member.node, pointer + "/" + Escaped(member.name));
  }

  std::vector<Error>& problems_;
  const bool is_part_;
};

}  // namespace

DefinitionNode CheckShape(const DefinitionNode& node, const Shape& shape,
                          const std::string& pointer, std::vector<Error>& problems) {
  return Checking(problems, false).Check(node, shape, pointer);
}

DefinitionNode CheckPart(const DefinitionNode& node, const Shape& shape, const std::string& pointer,
                         std::vector<Error>& problems) {
  return Checking(problems, true).Check(node, shape, pointer);
}

}  // namespace patra::domain
