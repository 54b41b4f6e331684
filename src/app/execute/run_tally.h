// What a run adds up, for its account and for people.
#pragma once

#include <algorithm>
#include <string>

#include "app/send/sender.h"
#include "base/canonical_json.h"
#include "base/value.h"
#include "domain/item/record.h"

namespace patra::app {

struct RunTally {
  int requests = 0;
  int retries = 0;
  int throttled = 0;
  int pages = 0;
  Duration waited{};
  Duration latency{};
  Duration latency_max{};
  domain::MetAtGate met{};
  bool has_next = false;
  bool is_rate_adjusted = false;
  std::string credential{};  // of the last request that had one

  void Add(const Sent& sent) {
    requests += sent.requests;
    if (sent.requests > 0 && !sent.target.credential.empty()) credential = sent.target.credential;
    waited += sent.permit.waited;
    if (!sent.response) return;
    latency += sent.response->latency;
    latency_max = std::max(latency_max, sent.response->latency);
  }

  std::string Stats(const domain::RecordCounts& counts, const std::string& remarks) const {
    const auto millis = [](Duration d) { return d / std::chrono::milliseconds(1); };
    Value::Object stats{{"reqCount", requests},
                        {"retCount", counts.received},
                        {"inserted", counts.inserted},
                        {"updated", counts.updated},
                        {"skipped", counts.unchanged + counts.stale + counts.filtered},
                        {"failed", counts.quarantined},
                        {"repeated", counts.repeated},
                        {"late", counts.late},
                        {"retryCount", retries},
                        {"429Count", throttled},
                        {"avgLatencyMs", requests == 0 ? 0 : millis(latency) / requests},
                        {"maxLatencyMs", millis(latency_max)},
                        {"pagesVisited", pages},
                        {"hasNextLast", has_next},
                        {"rateAdjusted", is_rate_adjusted},
                        {"permitsTotal", requests},
                        {"waitTotalMs", millis(waited)},
                        {"throttledCount", throttled},
                        {"remarks", remarks}};
    met.AddTo(stats);
    return CanonicalJson(stats);
  }
};

}  // namespace patra::app
