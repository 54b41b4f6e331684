// A page that has nothing where the definition looks for what leads to the next one. It may be the last, or the definition may
// look in the wrong place: then what leads on stands elsewhere.
#pragma once

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
  JsonSteps items{};  // what stands there are records, and says nothing about pages
};

// What the answer has instead, by its name: one that is nearly the same, or that says in so many words that it leads on. Empty
// where nothing does. It holds names and no values.
std::string WhatLeadsOn(Node root, const PageAnswer& answer, const SoughtToken& sought);

}  // namespace patra::domain
