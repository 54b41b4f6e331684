// What a walk makes of a page.
#pragma once

#include <optional>
#include <string>

#include "app/port/page_reader.h"
#include "domain/walk/walk.h"

namespace patra::app {

// The latest `updated` on it.
std::optional<Instant> NewestOf(const PageContent& page);

// What it shows of the walk.
domain::PageFacts FactsOf(const PageContent& page);

// Where it would go after a page that stands alone, for people.
std::string NextAfter(domain::Walk& walk, const domain::Position& at, const PageContent& page);

}  // namespace patra::app
