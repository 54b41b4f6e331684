#include "domain/item/record_date.h"

#include <fmt/format.h>

namespace patra::domain {

Result<Instant> VersionTime(Instant dated_at, Instant fetched_at, bool may_lie_ahead) {
  if (may_lie_ahead) return fetched_at;
  if (dated_at <= fetched_at + kAheadMax) return dated_at;
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("the update time {} lies ahead of the answer's, {}",
                          FormatRfc3339(dated_at), FormatRfc3339(fetched_at)),
              {}, "write `may_lie_ahead: true` for a date that may");
}

}  // namespace patra::domain
