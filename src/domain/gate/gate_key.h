// Who counts together: the keys of what the gate remembers.
#pragma once

#include <string>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

// Where a request goes, and as whom. Parts that do not matter are empty.
struct GateTarget {
  std::string provenance;
  std::string endpoint;
  std::string credential;  // its name, never its value
  std::string host;        // the provider's, with its port
  std::string lane;        // "crossref/works/BACKFILL": for whom, whichever endpoint is asked

  friend bool operator==(const GateTarget&, const GateTarget&) = default;
};

inline constexpr std::size_t kGateKeyBytesMax = 127;

// "crossref", "crossref/works", "crossref#key-1", "crossref/works#key-1", "@api.crossref.org:443",
// "crossref/works/BACKFILL". Names that would
// make it longer than kGateKeyBytesMax are cut and told apart by their hash.
std::string GateKey(LimitScope scope, const GateTarget& target);

// Under which the store counts a quota: windows of other lengths than a day are told apart, "crossref 1h".
std::string QuotaKey(LimitScope scope, const GateTarget& target, Duration window);
// The gate's key of that.
std::string GateKeyOfQuota(const std::string& quota_key);

}  // namespace patra::domain
