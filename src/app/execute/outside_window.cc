#include "app/execute/outside_window.h"

namespace patra::app {

std::int64_t TakeOutOutside(const domain::SpecSnapshot& spec, const domain::Window& window,
                            PageContent& page) {
  const bool may_tell = spec.window.filter == domain::WindowFilter::kClient ||
                        (spec.window.updated_is_filtered && spec.response.updated);
  if (!may_tell || spec.details) return 0;
  return static_cast<std::int64_t>(std::erase_if(page.records, [&](const domain::Record& record) {
    return !window.Contains(record.version.updated_at);
  }));
}

}  // namespace patra::app
