// Turns a snapshot, a slice and a position into the request that goes on the wire, but for the
// credential, which only the transport gets to see.
//
// Templates may refer to
//
//   window.from, window.to   the slice, [from, to); where the filter includes its end (`window.ends`), `to` is window.last
//   window.last              the last moment of the slice in the steps of the provider's filter
//   page.size, page.number, page.offset, page.token; of a token that is a value, page.token.NAME
//   split.NAME.from, .to, .value   the part of a further dimension, where the slice is cut by one
//   query                    what the command asked for, in the provider's own syntax
//   params.NAME              what the definition declares under `params`
//   ids                      the ids of a batch, in the second phase
#pragma once

#include <optional>
#include <span>

#include "app/port/run_ledger.h"
#include "app/port/transport.h"
#include "base/result.h"
#include "base/value.h"
#include "domain/plan/slice_spec.h"
#include "domain/source/compiled_source.h"

namespace patra::app {

// `values` are those that the slice was cut with (domain/plan/expression.h); else it binds them here.
Result<HttpRequest> RenderRequest(const domain::CompiledSource& source,
                                  const domain::SliceSpec& slice, const Position& position,
                                  const std::optional<Value>& values = {});

// A link to the next page is relative to the address of the page that it stands on. Kept as a whole, it means the same to
// whoever goes on from there.
Result<std::string> LinkFrom(const std::string& page, std::string link);

// REQUIRES: source.spec().details
Result<HttpRequest> RenderDetailRequest(const domain::CompiledSource& source,
                                        const domain::SliceSpec& slice,
                                        std::span<const std::string> ids,
                                        const std::optional<Value>& values = {});

}  // namespace patra::app
