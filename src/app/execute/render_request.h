// Turns a snapshot, a slice and a position into the request that goes on the wire.
#pragma once

#include "app/port/run_ledger.h"
#include "app/port/transport.h"
#include "base/result.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/window/window.h"

namespace patra::app {

Result<HttpRequest> RenderRequest(const domain::SpecSnapshot& spec, const domain::Window& window,
                                  const Position& position);

}  // namespace patra::app
