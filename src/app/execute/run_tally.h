// What a run adds up, for its account and for people.
#pragma once

#include <algorithm>
#include <string>

#include "base/canonical_json.h"
#include "base/value.h"
#include "domain/item/record.h"
#include "domain/task/evidence.h"

namespace patra::app {

struct RunTally {
  domain::RequestsSent sent{};
  domain::FailedTries failures{};
  int pages = 0;
  Duration latency_max{};
  bool has_next = false;
  std::string credential{};  // of the last request that had one

  // What one page took, or came to nothing with.
  void Add(const domain::Evidence& evidence) {
    sent += evidence.sent;
    failures.Append(evidence.failures);
    latency_max = std::max(latency_max, evidence.latency);
    if (!evidence.credential.empty()) credential = evidence.credential;
  }

  // `end` is what the run ends with: what self-healing had in force is the same for all of it.
  std::string Stats(const domain::RecordCounts& counts, const std::string& remarks,
                    const domain::Evidence& end) const {
    const auto millis = [](Duration d) { return d / std::chrono::milliseconds(1); };
    Value::Object stats{
        {"retCount", counts.received},
        {"inserted", counts.inserted},
        {"updated", counts.updated},
        {"skipped", counts.unchanged + counts.stale + counts.filtered},
        {"failed", counts.quarantined},
        {"repeated", counts.repeated},
        {"late", counts.late},
        {"avgLatencyMs", sent.requests == 0 ? 0 : millis(sent.latency) / sent.requests},
        {"maxLatencyMs", millis(latency_max)},
        {"pagesVisited", pages},
        {"hasNextLast", has_next},
        {"rateAdjusted", sent.throttled > 0 || sent.met.slowed > 0},
        {"permitsTotal", sent.requests},
        {"throttledCount", sent.throttled},
        {"remarks", remarks}};
    auto whole = end;
    whole.sent = sent;
    whole.failures = failures;
    whole.AddTo(stats);
    return CanonicalJson(stats);
  }
};

}  // namespace patra::app
