// What the gate learns of a request, and what that changes for others: told to the log, for whoever counts.
#pragma once

#include "app/send/sender.h"

namespace patra::app {

// Tells the gate, and notes what that changed in `sent`.
Result<void> TellGate(const SenderPorts& ports, Sent& sent, const domain::GateSignal& signal);

// What a trace says of the request that went out last.
Value::Object SpanDetails(const Sent& sent, Duration now);

// Notes that a quota had nothing for a request, or nothing yet.
void NoteQuota(const SenderPorts& ports, Sent& sent, bool leaves_rest);

}  // namespace patra::app
