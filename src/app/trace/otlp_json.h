// Spans as collectors of OpenTelemetry take them: OTLP over HTTP, in JSON.
#pragma once

#include <span>
#include <string>

#include "app/port/span_sink.h"

namespace patra::app {

// The body of one request. `process` names whose spans these are.
std::string OtlpJson(std::span<const Span> spans, const std::string& process);

}  // namespace patra::app
