// Records of a page that do not belong to the slice that it was asked for.
#pragma once

#include "app/port/page_reader.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/window/window.h"

namespace patra::app {

// Takes out what falls outside the window, where the definition says that this can be told; how many.
std::int64_t TakeOutOutside(const domain::SpecSnapshot& spec, const domain::Window& window,
                            PageContent& page);

}  // namespace patra::app
