// What the members of reports are called where they are shown, by whichever way in.
#pragma once

#include "app/api/alerts.h"
#include "app/api/gate_keys.h"
#include "app/api/plan_report.h"
#include "app/api/preview_report.h"
#include "app/api/source_reports.h"
#include "contract/facts.h"
#include "domain/word/adjustment.h"
#include "domain/word/execution.h"
#include "domain/word/heal_entry.h"
#include "domain/word/hold.h"
#include "domain/word/job.h"
#include "domain/word/quarantined.h"
#include "domain/word/signal.h"

namespace patra::app {

contract::Facts FactsOf(const AlertReport& report);
contract::Facts FactsOf(const GateKeyReport& key);
contract::Facts FactsOf(const SourceSummary& source);
contract::Facts FactsOf(const domain::QuarantineEntry& entry);
contract::Facts FactsOf(const domain::QuarantineKind& kind);
contract::Facts FactsOf(const domain::HealEntry& entry);
contract::Facts FactsOf(const domain::Adjustment& adjustment);
contract::Facts FactsOf(const domain::Signal& signal);
contract::Facts FactsOf(const domain::Job& job);
contract::Facts FactsOf(const domain::Execution& execution);
contract::Facts FactsOfFuse(const domain::Hold& fuse);
contract::Facts FactsOf(const PlanReport& report, domain::Operation operation);
// Of each of its texts that a provider wrote, so many bytes.
contract::Facts FactsOf(const PreviewedPage& page, std::size_t bytes_max);
// Of what a definition has wrong, or what is strange about it.
contract::Facts FactsOfFinding(const Error& finding, std::string_view severity);

std::string_view StateOf(const AlertReport& report);  // "firing"
// "100", or "10m" where it is a length.
std::string ValueOf(const domain::Adjustment& adjustment);

}  // namespace patra::app
