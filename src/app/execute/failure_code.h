// What went wrong, in one word that does not change from version to version: people count by it and search for it.
#pragma once

#include <string_view>

#include "app/execute/fetch_page.h"

namespace patra::app {

// REQUIRES: the kind is a failure, or kEarly
std::string_view FailureCode(NoPage::Kind kind);

// How bad that is.
domain::ErrorLevel LevelOf(NoPage::Kind kind);

}  // namespace patra::app
