// What a command that works tells people at its end.
#pragma once

#include "adapter/cli/cells.h"
#include "adapter/cli/console.h"
#include "app/api/operation_report.h"
#include "domain/word/operation.h"

namespace patra::adapter::cli {

void PrintSummary(const app::OperationSummary& summary, domain::Operation operation,
                  const Console& console);

// Slices, records and requests, and whether the ledger balances.
void PrintWork(const app::WorkSummary& work, bool is_proven, const NamedLines& lines);
// What is left, and what it waits for.
void PrintRest(const app::WorkSummary& work, const NamedLines& lines);

}  // namespace patra::adapter::cli
