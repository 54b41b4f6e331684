#include "domain/page/link_list.h"

#include <string_view>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "domain/page/field_value.h"

namespace patra::domain {
namespace {

constexpr int kLinksMost = 100;

std::optional<std::string> WayFrom(Node link) {
  for (const std::string_view role : {"rel", "relation"}) {
    const auto says = link.Find(role);
    if (!says || !EqualIgnoringCase(says->AsString().value_or(""), "next")) continue;
    for (const std::string_view address : {"href", "url", "uri", "link"}) {
      const auto leads_to = link.Find(address);
      if (leads_to && leads_to->AsString() && !IsEmpty(*leads_to))
        return fmt::format("[?@.{}=='{}'].{}", role, *says->AsString(), address);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WayToNextLink(Node list) {
  if (!list.is_array()) return std::nullopt;
  int links = 0;
  for (const auto [none, link] : list.children()) {
    if (++links > kLinksMost || !link.is_object()) return std::nullopt;
    if (auto way = WayFrom(link)) return way;
  }
  return std::nullopt;
}

}  // namespace patra::domain
