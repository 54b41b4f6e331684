// The ids on a page, as a walk remembers them.
#pragma once

#include <string>
#include <vector>

#include "domain/page/page_content.h"
#include "domain/walk/walk_memory.h"

namespace patra::app {

// Of ids, records and bad records. One without an id goes by its bytes.
std::vector<std::string> IdsOf(const domain::PageContent& page);

domain::PageIds HashesOf(const std::vector<std::string>& ids);

}  // namespace patra::app
