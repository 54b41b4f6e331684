#include "domain/page/sought_token.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/text_scanner.h"
#include "domain/page/field_value.h"
#include "domain/page/found_node.h"
#include "domain/page/link_header.h"
#include "domain/page/link_list.h"
#include "domain/page/paging_words.h"

namespace patra::domain {
namespace {

constexpr std::size_t kDepthMost = 3;
constexpr std::size_t kElementsDeep = 2;  // below them, records begin
constexpr int kMembersMost = 1'000;

// A token is a text or what it is made of. A number leads on where it is said to be that of the next page, and counts tokens
// elsewhere.
bool MayBeToken(std::string_view plain, Node node) {
  if (node.is_array() || node.AsBool()) return false;
  if (!node.AsNumber()) return true;
  return node.AsInteger() != 0 && plain.find("next") != std::string_view::npos;
}

// What was asked for may be said once more, and is a date where it is no place in a list.
bool IsDated(Node node) {
  const auto text = node.Text();
  return text.size() >= 8 && std::ranges::all_of(text.substr(0, 4), IsDigit) &&
         (text[4] == '-' || text[4] == '/');
}

// Parts of an answer that say what was asked for, what the client may do, or what the records have in common.
bool IsOfOtherMatter(std::string_view plain) {
  static constexpr auto kOthers = std::to_array<std::string_view>(
      {"request", "params", "parameters", "arguments", "responseheader", "query", "filters",
       "facets", "facetcounts", "aggregations", "aggs", "quota", "usage"});
  return std::ranges::find(kOthers, plain) != kOthers.end() ||
         plain.find("rate") != std::string_view::npos;
}

std::optional<std::int64_t> CountIn(Node node) {
  if (const auto number = node.AsInteger()) return number;
  if (node.is_object()) {
    const auto value = node.Find("value");
    return value ? value->AsInteger() : std::nullopt;
  }
  const bool is_text = node.AsString() || (node.is_xml() && node.size() == 0);
  return is_text ? WholeNumber(std::string(Trim(node.Text()))) : std::nullopt;
}

// Whether a count says that other records, or pages, are there beside those of one page.
bool CountsMore(std::string_view plain, std::int64_t count, std::int64_t shown) {
  return NamesTotal(plain) ? count > shown
                           : (NamesPages(plain) && count > 1) || (NamesRest(plain) && count > 0);
}

class Search {
 public:
  explicit Search(const SoughtToken& sought) : sought_(sought), mistyped_(LastName(sought.path)) {
    for (const auto& step : sought.items) {
      const auto* name = std::get_if<std::string>(&step);
      if (name == nullptr) break;
      items_ += "." + *name;
    }
    if (sought.way.size() > 1) beside_ = PathOf(sought.way.first(sought.way.size() - 1));
  }

  // The place that says the most about the next page; of XML, the element.
  std::string In(Node root) {
    auto slip = BesideTheWay(root);
    Look(root, "$", 1);
    if (is_end_said_ && flag_.empty()) return {};
    for (auto* found : {&slip, &next_, &flag_, &count_}) {
      if (!found->empty()) return std::move(*found);
    }
    return {};
  }
  bool is_end_said() const { return is_end_said_ && flag_.empty(); }

 private:
  void Look(Node node, const std::string& place, std::size_t depth) {
    if (node.is_xml()) return LookIntoElement(node, depth);
    if (!node.is_object() || place == items_) return;
    for (const auto [name, child] : node.children()) {
      if (++members_ > kMembersMost) return;
      Note(name, child, fmt::format("{}.{}", place, name), node);
    }
    if (depth >= kDepthMost) return;
    for (const auto [name, child] : node.children()) {
      if (!IsOfOtherMatter(PlainName(name)))
        Look(child, fmt::format("{}.{}", place, name), depth + 1);
    }
  }

  void LookIntoElement(Node element, std::size_t depth) {
    static constexpr auto kCounts =
        std::to_array<std::string_view>({"total", "count", "numFound", "totalResults", "pages"});
    for (const auto count : kCounts) {
      const auto found = element.Attribute(count);
      if (found)
        NoteCount(PlainName(count), *found, fmt::format("<{} {}>", element.local_name(), count));
    }
    for (const auto [name, child] : element.children()) {
      if (++members_ > kMembersMost) return;
      const auto own = child.local_name();
      const auto place = fmt::format("<{}>", own);
      const auto rel = child.Attribute("rel");
      if (IsSlip(own) && !IsEmpty(child)) Take(next_, place);
      if (rel && own == "link" && rel->Text() == "next") Take(next_, "<link rel=\"next\">");
      if (own != LastName(sought_.items_path)) Note(own, child, place, element);
    }
    if (depth >= kElementsDeep) return;
    for (const auto [name, child] : element.children()) {
      if (child.local_name() != LastName(sought_.items_path)) LookIntoElement(child, depth + 1);
    }
  }

  void Note(std::string_view name, Node child, const std::string& place, Node parent) {
    const auto plain = PlainName(name);
    if (const auto says = child.AsBool()) return NoteFlag(plain, *says, place);
    if (const auto way = WayToNextLink(child)) Take(next_, place + *way);
    const bool is_place = NamesPlaceOfPage(plain) && !StandsBeside(place) && !IsDated(child);
    if ((NamesNext(plain) || is_place) && MayBeToken(plain, child) && !IsEmpty(child))
      Take(next_, place);
    // What is left of an allowance is said with when it is whole again.
    const bool is_allowance = NamesRest(plain) && parent.Find("reset").has_value();
    if (!is_allowance) NoteCount(plain, child, place);
  }

  void NoteFlag(std::string_view plain, bool says, const std::string& place) {
    if (PromisesMore(plain) && says) Take(flag_, place);
    if (NamesEnd(plain) && !says) Take(flag_, place + ", which is false");
    is_end_said_ = is_end_said_ || (PromisesMore(plain) && !says) || (NamesLastPage(plain) && says);
  }

  void NoteCount(std::string_view plain, Node node, const std::string& place) {
    if (sought_.is_counted) return;
    const auto count = CountIn(node);
    if (count && CountsMore(plain, *count, sought_.shown))
      Take(count_, fmt::format("{}, which says {}", place, *count));
  }

  static void Take(std::string& kept, std::string found) {
    if (kept.empty()) kept = std::move(found);
  }

  // Some have both a link to the next page, which is missing on the last one, and the place of each page, which is not. Who
  // looks for the link beside that knows what is there.
  bool StandsBeside(const std::string& place) const {
    return !beside_.empty() && place.starts_with(beside_ + ".");
  }

  // A slip of the name that the path goes by, where it leads nowhere.
  std::string BesideTheWay(Node at) const {
    for (std::size_t i = 0; i < sought_.way.size(); ++i) {
      const auto* name = std::get_if<std::string>(&sought_.way[i]);
      if (name == nullptr || !at.is_object()) return {};
      if (const auto found = at.Find(*name)) {
        at = *found;
        continue;
      }
      std::vector<std::string_view> names;
      for (const auto [member, child] : at.children()) {
        if (names.size() < kMembersMost && !IsEmpty(child) && !child.is_array() && !child.AsBool())
          names.push_back(member);
      }
      const auto meant = CloseMatch(*name, names);
      return meant ? fmt::format("{}.{}", PathOf(sought_.way.first(i)), *meant) : std::string();
    }
    return {};
  }

  // Of an XPath, without what chooses among elements.
  static std::string_view LastName(std::string_view path) {
    path = path.substr(0, path.find('['));
    const auto begin = path.find_last_of("/:.");
    return begin == std::string_view::npos ? path : path.substr(begin + 1);
  }

  bool IsSlip(std::string_view name) const {
    return !mistyped_.empty() && EditDistance(mistyped_, name, MistypedAtMost(mistyped_));
  }

  const SoughtToken& sought_;
  std::string_view mistyped_;  // of XML
  std::string items_ = "$";
  std::string beside_{};  // what would hold it
  int members_ = 0;
  // What was found first of each kind.
  std::string next_{};
  std::string flag_{};
  std::string count_{};
  bool is_end_said_ = false;
};

// "X-Total-Count" and "Total-Count" say the same; so does what an application adds of its own name.
std::string PlainHeader(std::string_view name) {
  auto plain = PlainName(name);
  for (const std::string_view prefix : {"x", "wp", "pagination", "paging"}) {
    if (plain.starts_with(prefix)) plain = plain.substr(prefix.size());
  }
  return plain;
}

// "items 0-49/300"
std::optional<std::int64_t> EndOfRange(std::string_view range) {
  const auto slash = range.rfind('/');
  if (slash == std::string_view::npos || range.starts_with("bytes")) return std::nullopt;
  return WholeNumber(std::string(Trim(range.substr(slash + 1))));
}

bool CountsMore(std::string_view header, const std::string& value, const SoughtToken& sought) {
  if (sought.is_counted) return false;
  if (EqualIgnoringCase(header, "content-range"))
    return EndOfRange(value).value_or(0) > sought.shown;
  const auto count = WholeNumber(std::string(Trim(value)));
  const auto plain = PlainHeader(header);
  return count && !NamesRest(plain) && CountsMore(plain, *count, sought.shown);
}

std::string InHeaders(const PageAnswer& answer, const SoughtToken& sought) {
  for (const auto& [name, value] : answer.headers) {
    if (value.empty()) continue;
    if (EqualIgnoringCase(name, "link")) {
      if (!sought.in_link_header && NextLink(value))
        return "the header 'Link', which `link_header: true` follows";
      continue;
    }
    const bool is_slip =
        !sought.header.empty() && EditDistance(sought.header, name, MistypedAtMost(sought.header));
    const bool promises_more =
        PromisesMore(PlainHeader(name)) && EqualIgnoringCase(Trim(value), "true");
    if (is_slip || promises_more || NamesNext(PlainName(name)))
      return fmt::format("the header '{}'", name);
    if (CountsMore(name, value, sought))
      return fmt::format("the header '{}', which says {}", name, value);
  }
  return {};
}

}  // namespace

std::string WhatLeadsOn(Node root, const PageAnswer& answer, const SoughtToken& sought) {
  Search search(sought);
  auto found = search.In(root);
  if (found.empty() && !search.is_end_said()) found = InHeaders(answer, sought);
  return found;
}

}  // namespace patra::domain
