// Turns a snapshot, a slice and a position into the request that goes on the wire, but for the
// credential, which only the transport gets to see.
//
// Templates may refer to
//
//   window.from, window.to   the slice, [from, to); where the filter includes its end (`window.ends`), `to` is window.last
//   window.last              the last moment of the slice in the steps of the provider's filter
//   page.size, page.number, page.offset, page.token
//   split.NAME.from, .to, .value   the part of a further dimension, where the slice is cut by one
//   query                    what the command asked for, in the provider's own syntax
//   params.NAME              what the definition declares under `params`
//   ids                      the ids of a batch, in the second phase
#pragma once

#include <span>

#include "app/port/run_ledger.h"
#include "app/port/transport.h"
#include "base/result.h"
#include "domain/plan/slice_spec.h"
#include "domain/source/compiled_source.h"

namespace patra::app {

Result<HttpRequest> RenderRequest(const domain::CompiledSource& source,
                                  const domain::SliceSpec& slice, const Position& position);

// REQUIRES: source.spec().details
Result<HttpRequest> RenderDetailRequest(const domain::CompiledSource& source,
                                        const domain::SliceSpec& slice,
                                        std::span<const std::string> ids);

}  // namespace patra::app
