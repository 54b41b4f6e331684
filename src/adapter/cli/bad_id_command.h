// `patra quarantine bad-ids` and `release-id`: ids whose details could not be had, and that are not asked for until somebody
// releases them.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/quarantine.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct BadIdListing {
  std::string target{};      // SOURCE or SOURCE/ENDPOINT; empty: any
  std::string listed_for{};  // what the reason says somewhere
  std::string before{};      // a moment
  int ids_max = 50;
  bool as_json = false;
};

struct IdRelease {
  app::IdReleaseRequest request{};
  bool as_json = false;
};

int RunBadIds(const BadIdListing& listing, app::Quarantine& quarantine, const Clock& clock,
              const Console& console);
int RunReleaseIds(const IdRelease& release, app::Quarantine& quarantine, const domain::Actor& actor,
                  const Console& console);

}  // namespace patra::adapter::cli
