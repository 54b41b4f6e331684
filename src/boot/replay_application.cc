#include "boot/replay_application.h"

#include "boot/engine.h"
#include "boot/engine_request.h"
#include "boot/operator_name.h"

namespace patra::boot {

Result<app::ReplayReport> ReplayApplication::Replay(const adapter::cli::ReplayRequest& request) {
  PATRA_TRY(StoreAddress::OfExisting(request.engine.database));
  SystemClock clock;
  auto options = PATRA_TRY(OptionsOf(request.engine, files_));
  if (request.mode == app::ReplayMode::kReport) options.use = StoreUse::kLook;
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  return engine->replay().Run(
      {.run = request.run,
       .batch = request.batch,
       .mode = request.mode,
       .from_raw = request.from_raw,
       .decision = {.actor = OperatorName(),
                    .reason = request.reason.empty() ? "replayed" : request.reason}});
}

}  // namespace patra::boot
