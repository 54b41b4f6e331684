#include "domain/page/outline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/document.h"
#include "base/quote.h"

namespace patra::domain {
namespace {

constexpr int kOutlineDepthMax = 8;
constexpr std::size_t kOutlineLinesMax = 300;
constexpr std::size_t kMembersShownMax = 60;
constexpr std::size_t kElementsLookedAt = 200;
constexpr std::size_t kSampleBytesMax = 40;

enum class Kind { kNull, kBoolean, kNumber, kText, kList, kObject };

Kind KindOf(const Value& value) {
  if (value.AsBool() != nullptr) return Kind::kBoolean;
  if (value.AsInteger() != nullptr || value.AsDouble() != nullptr) return Kind::kNumber;
  if (value.AsString() != nullptr) return Kind::kText;
  if (value.AsArray() != nullptr) return Kind::kList;
  return value.AsObject() != nullptr ? Kind::kObject : Kind::kNull;
}

// What all values in one place have in common, and in what they differ.
struct Seen {
  std::int64_t count = 0;
  std::array<bool, 6> kinds{};
  std::map<Kind, std::string> samples{};
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  std::size_t longest = 0;
  std::map<std::string, Seen> members{};
  std::unique_ptr<Seen> elements{};

  void Add(const Value& value, bool is_xml, int depth);
  std::string Describe() const;
};

void Seen::Add(const Value& value, bool is_xml, int depth) {
  const auto* items = value.AsArray();
  if (items != nullptr && is_xml) {
    for (std::size_t i = 0; i < std::min(items->size(), kElementsLookedAt); ++i)
      Add((*items)[i], is_xml, depth);
    count +=
        std::ssize(*items) - static_cast<std::int64_t>(std::min(items->size(), kElementsLookedAt));
    return;
  }
  ++count;
  const auto kind = KindOf(value);
  kinds[static_cast<std::size_t>(kind)] = true;
  if (kind == Kind::kText && !value.AsString()->empty()) {
    samples.try_emplace(kind, Quote(*value.AsString(), kSampleBytesMax));
  } else if (kind == Kind::kNumber || kind == Kind::kBoolean) {
    samples.try_emplace(kind, PrintJson(value));
  }
  if (depth >= kOutlineDepthMax) return;
  if (items != nullptr) {
    shortest = std::min(shortest, items->size());
    longest = std::max(longest, items->size());
    if (items->empty()) return;
    if (!elements) elements = std::make_unique<Seen>();
    for (std::size_t i = 0; i < std::min(items->size(), kElementsLookedAt); ++i)
      elements->Add((*items)[i], is_xml, depth + 1);
  }
  if (const auto* object = value.AsObject()) {
    for (const auto& [name, member] : *object) members[name].Add(member, is_xml, depth + 1);
  }
}

std::string Seen::Describe() const {
  std::string text;
  const auto add = [&](Kind kind, std::string_view word) {
    if (!kinds[static_cast<std::size_t>(kind)]) return;
    text += fmt::format("{}{}", text.empty() ? "" : " or ", word);
    if (const auto sample = samples.find(kind); sample != samples.end())
      text += " " + sample->second;
  };
  add(Kind::kObject, "object");
  add(Kind::kList, longest == shortest ? fmt::format("list of {}", longest)
                                       : fmt::format("list of {} to {}", shortest, longest));
  add(Kind::kText, "text");
  add(Kind::kNumber, "number");
  add(Kind::kBoolean, "boolean");
  add(Kind::kNull, "null");
  return text;
}

class OutlineLines {
 public:
  explicit OutlineLines(bool is_xml) : is_xml_(is_xml) {}

  void Add(const std::string& name, const Seen& seen, std::int64_t of, int depth) {
    if (IsFull()) return;
    auto line = fmt::format("{:{}}{}  {}", "", depth * 2, name, seen.Describe());
    if (is_xml_ && seen.count > 1) line += fmt::format(", {} times", seen.count);
    if (!is_xml_ && seen.count < of) line += fmt::format(", in {} of {}", seen.count, of);
    lines_.push_back(std::move(line));
    std::size_t shown = 0;
    for (const auto& [member, found] : seen.members) {
      if (++shown > kMembersShownMax) {
        lines_.push_back(fmt::format("{:{}}… and {} more", "", (depth + 1) * 2,
                                     seen.members.size() - kMembersShownMax));
        break;
      }
      Add(member, found, seen.count, depth + 1);
    }
    if (seen.elements) Add("[*]", *seen.elements, seen.elements->count, depth + 1);
  }

  std::vector<std::string> Take() && { return std::move(lines_); }

 private:
  bool IsFull() {
    if (lines_.size() < kOutlineLinesMax) return false;
    if (lines_.size() == kOutlineLinesMax) lines_.push_back("… and more");
    return true;
  }

  const bool is_xml_;
  std::vector<std::string> lines_;
};

void AddNamespaces(const Node& node, int depth, std::map<std::string, std::string>& namespaces) {
  const auto name = node.name();
  if (const auto colon = name.find(':'); colon != std::string_view::npos)
    namespaces.try_emplace(std::string(name.substr(0, colon)), node.namespace_uri());
  if (depth >= kOutlineDepthMax) return;
  std::size_t looked_at = 0;
  for (const auto child : node.children()) {
    if (++looked_at > kElementsLookedAt) return;
    AddNamespaces(child.node, depth + 1, namespaces);
  }
}

}  // namespace

Result<ParsedAnswer> ParseAnswer(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return Fail(ErrorCode::kInvalidInput, "the answer is empty");
  if (body[first] == '<') {
    const auto document = PATRA_TRY(Document::ParseXml(std::string(body)));
    ParsedAnswer parsed{.content = PATRA_TRY(ToValue(document.root())),
                        .is_xml = true,
                        .root = std::string(document.root().name())};
    AddNamespaces(document.root(), 0, parsed.namespaces);
    return parsed;
  }
  const auto document = PATRA_TRY(Document::ParseJson(std::string(body)));
  return ParsedAnswer{.content = PATRA_TRY(ToValue(document.root()))};
}

std::vector<std::string> OutlineOf(const ParsedAnswer& answer) {
  Seen seen;
  seen.Add(answer.content, answer.is_xml, 0);
  OutlineLines lines(answer.is_xml);
  lines.Add(answer.is_xml ? "/" + answer.root : "$", seen, 1, 0);
  return std::move(lines).Take();
}

}  // namespace patra::domain
