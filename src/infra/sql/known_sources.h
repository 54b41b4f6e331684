// Which sources and endpoints the ledger has rows of. Jumps along indexes: one step per name, not per row.
#pragma once

#include <string>
#include <vector>

#include "infra/sql/session.h"

namespace patra::infra::sql {

struct KnownEndpoint {
  std::string source;
  std::string endpoint;

  friend auto operator<=>(const KnownEndpoint&, const KnownEndpoint&) = default;
};

// All of them where `source` is empty, in the order of their names; likewise for `endpoint`.
Result<std::vector<std::string>> KnownSources(Session& session, const std::string& source);

// Those that were sliced or have a cursor.
Result<std::vector<KnownEndpoint>> KnownEndpoints(Session& session, const std::string& source,
                                                  const std::string& endpoint);

}  // namespace patra::infra::sql
