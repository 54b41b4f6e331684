// What a preview saw, as the exchanges that definitions are tested with (test_source.h).
#pragma once

#include <string>
#include <vector>

#include "app/execute/preview_page.h"
#include "app/port/definition_files.h"

namespace patra::app {

struct SeenExchange {
  const domain::SpecSnapshot& spec;
  domain::Window window;
  const PagePreview& page;
  // The request is what the definition alone says: no wish of the command changed it.
  bool is_plain = true;
};

// One element of the list, as YAML.
std::string ExchangeText(const SeenExchange& seen);

// Adds them to the file of the source's exchanges, which is made if need be; yields its name. Nothing is written where the
// file would not hold exactly them beside what it held.
Result<std::string> SaveExchanges(DefinitionFiles& files, const std::string& folder,
                                  const std::string& source,
                                  const std::vector<std::string>& exchanges);

}  // namespace patra::app
