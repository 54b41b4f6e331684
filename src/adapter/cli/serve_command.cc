#include "adapter/cli/serve_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "adapter/cli/cells.h"

namespace patra::adapter::cli {

int RunServe(const ServeRequest& request, Services& services, const Console& console) {
  const auto served = services.Serve(request, [&](const Serving& serving) {
    if (console.quiet) return;
    fmt::print(console.err, "serving {} as {}{}\n", serving.database,
               fmt::join(serving.roles, ", "),
               serving.url.empty() ? "" : fmt::format(" at {}", serving.url));
    console.err.flush();
  });
  // To be told to end is how a service ends.
  return served ? static_cast<int>(kComplete) : PrintError(console, served.error());
}

}  // namespace patra::adapter::cli
