// What a walk makes of a page.
#pragma once

#include <optional>
#include <string>

#include "domain/page/page_content.h"
#include "domain/walk/walk.h"

namespace patra::app {

// What it shows of the walk.
domain::PageFacts FactsOf(const domain::PageContent& page);

// What comes after a page, for people.
std::string Describe(const domain::Step& step);

// Where it would go after a page that stands alone, for people.
std::string NextAfter(domain::Walk& walk, const domain::Position& at,
                      const domain::PageContent& page);

}  // namespace patra::app
