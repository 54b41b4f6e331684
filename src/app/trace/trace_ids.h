// The names of traces and spans, as W3C Trace Context has them. They follow from the ids of the ledger, so that whoever has a row
// finds its span, and a provider that was sent one can be asked about it.
#pragma once

#include <string>

#include "base/time.h"
#include "domain/word/lineage.h"

namespace patra::app {

// 32 hex digits: of a run, and of what a trigger led to in the planner.
std::string TraceOfRun(Id task, Id run);
std::string TraceOfTrigger(Id trigger);

// 16 hex digits.
std::string SpanOfTask(Id run);
std::string SpanOfRun(Id run);
std::string SpanOfBatch(Id run, std::int64_t batch_no);
std::string SpanOfRequest(Id run, std::int64_t batch_no, int request_no, Instant at);
std::string SpanOfTrigger(Id trigger);
std::string SpanOfSlice(Id slice);

// The header by which a request says to which span it belongs.
std::string TraceParent(const std::string& trace, const std::string& span);

}  // namespace patra::app
