// Runs a definition against saved exchanges: is the request rendered as expected, and are the
// records of the answer mapped as expected?
//
// A file of exchanges:
//
//   exchanges:
//     - name: one page of works
//       endpoint: works
//       phase: details            # answers of the second phase; else the endpoint's own
//       window: {from: 2026-01-01, to: 2026-01-02}
//       page: {number: 2}         # or {offset: 800}, or {token: abc}, or ids: [a, b]
//       request: GET https://…    # compared if given; `body:` below it, too
//       answer: {status: 200, headers: {…}, body: "…"}
//       expect: {records: [{id, updated, deleted, fields}], ids, total, next, has_more,
//                quarantined, rule}
//
// Only what is under `expect` is compared.
#pragma once

#include <vector>

#include "app/api/source_reports.h"
#include "app/source/source_catalog.h"
#include "domain/spec/definition.h"

namespace patra::app {

// The exchanges of an endpoint that has problems tell of them.
Result<std::vector<ExchangeReport>> TestSource(const CatalogEntry& entry,
                                               const EntryFindings& findings,
                                               const domain::DefinitionNode& exchanges);

}  // namespace patra::app
