// What a walk makes of a page.
#pragma once

#include <optional>
#include <string>

#include "app/port/page_reader.h"
#include "domain/walk/walk.h"

namespace patra::app {

// The latest `updated` on it.
std::optional<Instant> NewestOf(const PageContent& page);

// Where it would go after a page that stands alone, for people. Takes every record on the page for one that did not come
// before.
std::string NextAfter(domain::Walk& walk, const domain::Position& at, const PageContent& page);

}  // namespace patra::app
