// Records of a page that do not belong to the slice that it was asked for.
#pragma once

#include <cstdint>

#include "domain/page/page_content.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/window.h"

namespace patra::app {

// Whether the dates of records are those that the windows are made of.
bool DatesTellWindow(const domain::SpecSnapshot& spec);

struct TakenOut {
  std::int64_t records = 0;
  std::int64_t outside = 0;  // of these, what the provider's own filter should have held back
};

// Takes out what falls outside the window, where the definition says that this can be told.
TakenOut TakeOutOutside(const domain::SpecSnapshot& spec, const domain::Window& window,
                        domain::PageContent& page);

// Whether a list that is sorted, but not filtered, has left the window: nothing that follows belongs to it.
bool HasLeftWindow(const domain::SpecSnapshot& spec, const domain::Window& window,
                   const domain::PageContent& page);

}  // namespace patra::app
