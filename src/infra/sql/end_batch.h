// Batches that came to nothing, and what was sent with none: it counts like everything else, and what slowed it down is noted.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// The one place where a batch ends that came to nothing; of another one, or none (0), what was sent counts all the same.
Result<void> EndBatch(Session& session, const app::LeasedTask& task, Id batch,
                      const batch_table::Ended& ended, Instant now);

// Runs that a dead worker left behind, and their batches, are over as soon as a new run starts. Nobody knows what was sent for
// those batches.
Result<void> EndAbandoned(Session& session, const app::LeasedTask& task, Instant now);
Result<void> EndAbandoned(Session& session, Id task, Instant now);

// What it asked for may have been answered: nothing of that is taken in.
Result<void> EndCancelled(Session& session, Id task, const std::string& reason, Instant now);

// The same of a run that is given up, of which more is known.
Result<void> EndGivenUp(Session& session, const app::RunGivenUp& given_up, Instant now);

// In the remarks of the plan, that the gate became slower, or let nobody through, over what was sent for it.
Result<void> NoteSlowDown(Session& session, const app::LeasedTask& task,
                          const domain::RequestsSent& sent, Instant now);

}  // namespace patra::infra::sql
