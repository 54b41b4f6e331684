// What a walk would do after a page that stands alone, for people.
#pragma once

#include <string>

#include "app/port/page_reader.h"
#include "domain/walk/walk.h"

namespace patra::app {

// Takes every record on the page for one that did not come before.
std::string NextAfter(domain::Walk& walk, const domain::Position& at, const PageContent& page);

}  // namespace patra::app
