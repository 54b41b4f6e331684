// `patra plan|slice|task|run|batch|cursor`: lists, single rows and what happened when.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/corrections.h"
#include "contract/gather_timeline.h"
#include "contract/read_side.h"

namespace patra::adapter::cli {

using contract::LedgerKind;

struct LedgerCommand {
  LedgerKind kind = LedgerKind::kPlan;
  contract::LedgerFilter filter;
  std::string id;
  bool as_json = false;
  bool origins = false;  // plan show: where its values came from
  std::string value;     // cursor set
  std::string reason;    // cursor set, task requeue
};

int RunLedgerList(const LedgerCommand& command, contract::LedgerQueries& ledger,
                  const Console& console);
int RunLedgerShow(const LedgerCommand& command, contract::LedgerQueries& ledger,
                  const Console& console);
int RunLedgerTimeline(const LedgerCommand& command, contract::LedgerQueries& ledger,
                      const Console& console);
int RunTaskRequeue(const LedgerCommand& command, app::Corrections& corrections,
                   const domain::Actor& actor, const Console& console);
int RunCursorSet(const LedgerCommand& command, app::Corrections& corrections,
                 const domain::Actor& actor, const Console& console);

}  // namespace patra::adapter::cli
