#include "domain/spec/enumerator.h"

#include "domain/spec/template_reads.h"
#include "domain/word/operation.h"

namespace patra::domain {
namespace {

Enumerator KindOf(const SpecSnapshot& spec, bool updates, bool gives_ids) {
  if (updates) return Enumerator::kExistingSet;
  if (gives_ids) return Enumerator::kTwoPhase;
  if (spec.window.filter != WindowFilter::kServer) return Enumerator::kScanByCursor;
  if (spec.response.total_kind == TotalKind::kNone) return Enumerator::kNoCount;
  return Enumerator::kSearchByDateRange;
}

}  // namespace

Enumeration EnumerationOf(const SpecSnapshot& spec) {
  const bool updates = spec.operation == Code(Operation::kUpdate);
  const bool gives_ids = spec.details && (updates || !spec.details->for_update_only);
  return {.kind = KindOf(spec, updates, gives_ids),
          .gives_ids = gives_ids,
          .knows_time = spec.window.filter != WindowFilter::kNone,
          .is_filtered_here = spec.window.filter == WindowFilter::kClient,
          .is_counted = spec.response.total_kind == TotalKind::kExact};
}

bool IsCutByTime(const SpecSnapshot& spec) {
  const auto& http = spec.http;
  const bool is_open =
      Reads(http, "window.from") && !Reads(http, "window.to") && !Reads(http, "window.last");
  return spec.window.filter == WindowFilter::kServer && !is_open;
}

}  // namespace patra::domain
