#include "domain/page/sought_token.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/text_scanner.h"
#include "domain/page/field_value.h"
#include "domain/page/link_header.h"

namespace patra::domain {
namespace {

constexpr std::size_t kDepthMost = 3;
constexpr std::size_t kElementsDeep = 2;  // below them, records begin
constexpr int kMembersMost = 1'000;

// "X-Next-Page", "nextPage" and "next_page" are one name.
std::string Bare(std::string_view name) {
  std::string bare;
  for (const unsigned char c : name) {
    if (std::isalnum(c)) bare += static_cast<char>(std::tolower(c));
  }
  return bare;
}

bool HasAny(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

// "next_update" is a date, and "access_token" another kind of token: so the words are named.
bool NamesNext(std::string_view name) {
  static constexpr auto kNext = std::to_array<std::string_view>(
      {"nextpage", "nextcursor", "nexttoken", "nextlink", "nexturl", "nexturi", "nexthref",
       "nextoffset", "nextstart", "nextmark", "nextkey", "nextset", "nextrecord", "nextbatch",
       "nextresult", "nextcontinu", "nextposition", "continu", "resumption"});
  static constexpr auto kOfAccess = std::to_array<std::string_view>(
      {"access", "auth", "csrf", "xsrf", "session", "refresh", "idtoken", "security"});
  const auto bare = Bare(name);
  if (bare == "next" || bare == "cursor" || HasAny(bare, kNext)) return true;
  return bare.find("token") != std::string::npos && !HasAny(bare, kOfAccess);
}

bool PromisesMore(std::string_view name) {
  static constexpr auto kMore = std::to_array<std::string_view>(
      {"more", "hasmore", "hasnext", "hasnextpage", "moreresults", "istruncated"});
  return std::ranges::find(kMore, Bare(name)) != kMore.end();
}

// A token is a text or what it is made of. A number leads on where it is said to be that of the next page, and counts tokens
// elsewhere.
bool MayBeToken(std::string_view name, Node node) {
  if (node.is_array() || node.AsBool()) return false;
  if (!node.AsNumber()) return true;
  return node.AsInteger() != 0 && Bare(name).find("next") != std::string::npos;
}

bool LeadsOn(std::string_view name, Node node) {
  if (node.AsBool() == true) return PromisesMore(name);
  return NamesNext(name) && MayBeToken(name, node) && !IsEmpty(node);
}

// Some providers say what they were asked, and that may hold a token.
bool IsEcho(std::string_view name) {
  static constexpr auto kEchoes = std::to_array<std::string_view>(
      {"request", "params", "parameters", "arguments", "responseheader"});
  return std::ranges::find(kEchoes, Bare(name)) != kEchoes.end();
}

class Search {
 public:
  explicit Search(const SoughtToken& sought) : sought_(sought), mistyped_(LastName(sought.path)) {
    for (const auto& step : sought.items) {
      const auto* name = std::get_if<std::string>(&step);
      if (name == nullptr) break;
      items_ += "." + *name;
    }
  }

  // The place of the first that leads on; of XML, the element.
  std::string In(Node node, const std::string& place, std::size_t depth) {
    const bool is_element = node.is_xml();
    if (!is_element && (!node.is_object() || place == items_)) return {};
    for (const auto [name, child] : node.children()) {
      if (++members_ > kMembersMost) return {};
      const auto own = is_element ? child.local_name() : name;
      const bool is_mistyped = is_element && IsSlip(own) && !IsEmpty(child);
      if (LeadsOn(own, child) || is_mistyped)
        return is_element ? fmt::format("<{}>", own) : fmt::format("{}.{}", place, own);
    }
    if (depth >= (is_element ? kElementsDeep : kDepthMost)) return {};
    for (const auto [name, child] : node.children()) {
      if (IsEcho(name)) continue;
      auto found = In(child, fmt::format("{}.{}", place, name), depth + 1);
      if (!found.empty()) return found;
    }
    return {};
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

 private:
  static std::string_view LastName(std::string_view path) {
    const auto begin = path.find_last_of("/:.");
    return begin == std::string_view::npos ? path : path.substr(begin + 1);
  }

  bool IsSlip(std::string_view name) const {
    return !mistyped_.empty() && EditDistance(mistyped_, name, MistypedAtMost(mistyped_));
  }

  const SoughtToken& sought_;
  std::string_view mistyped_;  // of XML
  std::string items_ = "$";
  int members_ = 0;
};

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
    if (is_slip || NamesNext(name)) return fmt::format("the header '{}'", name);
  }
  return {};
}

}  // namespace

std::string WhatLeadsOn(Node root, const PageAnswer& answer, const SoughtToken& sought) {
  Search search(sought);
  auto found = search.BesideTheWay(root);
  if (found.empty()) found = search.In(root, "$", 1);
  if (found.empty()) found = InHeaders(answer, sought);
  return found;
}

}  // namespace patra::domain
