// Whether what came again is what the account says.
#pragma once

#include <optional>
#include <string>

#include "app/api/replay_report.h"
#include "app/port/replay_store.h"

namespace patra::app {

// Fills in `verdict` and `reason` from what was counted.
void Judge(ReplayReport& report, const RecordedBatch& batch, bool has_ids_only);

// What speaks against storing the page; nothing where it is verified: it parses under the batch's own snapshot
// without a bad record, and brings as many records as the account, or as the answer itself, says.
std::optional<std::string> WhyNotCommit(const ReplayReport& report, const RecordedBatch& batch,
                                        bool has_ids_only);

}  // namespace patra::app
