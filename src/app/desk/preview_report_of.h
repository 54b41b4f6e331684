#pragma once

#include <vector>

#include "app/api/preview_report.h"
#include "app/execute/preview_page.h"

namespace patra::app {

// What was seen, for those who asked: no more than `records_max` records of a page.
PreviewReport ReportOf(const domain::SpecSnapshot& spec, const domain::Window& window,
                       const std::vector<PagePreview>& seen, std::int64_t records_max);

}  // namespace patra::app
