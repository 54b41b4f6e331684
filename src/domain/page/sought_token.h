// A page that has nothing where the definition looks for what leads to the next one. It may be the last, or the definition may
// look in the wrong place: then what leads on stands elsewhere, or something else says that there is more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/document.h"
#include "base/json_items.h"
#include "domain/page/page_answer.h"

namespace patra::domain {

// Where it was looked for.
struct SoughtToken {
  std::string_view path{};    // empty: not in the document
  JsonSteps way{};            // of that, in JSON
  std::string_view header{};  // empty: in none
  bool in_link_header = false;
  std::string_view items_path{};
  JsonSteps items{};       // what stands there are records, and says nothing about pages
  std::int64_t shown = 0;  // how many of them
  // The definition says which count is that of the list: no other tells anything.
  bool is_counted = false;
};

// What the answer has instead, by its name: one that is nearly the same, one that says in so many words that it leads on, or
// a count that is larger than what came. Empty where nothing does, or where the answer says that this is all. It holds names and counts,
// and no other values.
std::string WhatLeadsOn(Node root, const PageAnswer& answer, const SoughtToken& sought);

}  // namespace patra::domain
