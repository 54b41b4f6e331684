// Looks, part by part, whether everything is there that work goes by. Each adds what it found to the lines, well or not.
#pragma once

#include <optional>
#include <string>

#include "app/api/checkup.h"
#include "app/api/source_library.h"
#include "app/port/machine.h"
#include "app/port/rate_gate.h"
#include "app/port/store.h"
#include "app/port/store_care.h"
#include "base/clock.h"

namespace patra::app {

// `file`: where the store is; none of one on a server.
void CheckMachine(Machine& machine, const std::optional<std::string>& file, CheckupLines& lines);

void CheckStore(StoreCare& care, const std::string& name, CheckupLines& lines);

// What the ledger tells about those who use it. `clock` is the machine's.
void CheckLedger(Store& store, const Clock& clock, CheckupLines& lines);

// What the API shows those who ask it by TLS, and keeps for itself: PEM files.
void CheckCertificate(Machine& machine, const std::string& certificate, const std::string& key,
                      Instant now, CheckupLines& lines);

void CheckSources(SourceLibrary& library, const std::string& folder, CheckupLines& lines);

// `several` machines use the store.
void CheckGate(RateGate& gate, const std::string& counts, bool several, CheckupLines& lines);

}  // namespace patra::app
