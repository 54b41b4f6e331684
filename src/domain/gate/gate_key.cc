#include "domain/gate/gate_key.h"

#include <fmt/format.h>

#include "base/duration.h"
#include "base/random.h"

namespace patra::domain {
namespace {

std::string FullKey(LimitScope scope, const GateTarget& target) {
  switch (scope) {
    case LimitScope::kSource:
      return target.provenance;
    case LimitScope::kEndpoint:
      return target.provenance + "/" + target.endpoint;
    case LimitScope::kCredential:
      return target.provenance + "#" + target.credential;
    case LimitScope::kCredentialAndEndpoint:
      return target.provenance + "/" + target.endpoint + "#" + target.credential;
    case LimitScope::kOperation:
      return target.lane;
    case LimitScope::kAddress:
      break;
  }
  return "@" + target.host;
}

}  // namespace

std::string GateKey(LimitScope scope, const GateTarget& target) {
  auto key = FullKey(scope, target);
  if (key.size() <= kGateKeyBytesMax) return key;
  const auto hash = fmt::format("~{:016x}", HashText(key));
  key.resize(kGateKeyBytesMax - hash.size());
  return key + hash;
}

std::string QuotaKey(LimitScope scope, const GateTarget& target, Duration window) {
  const auto key = GateKey(scope, target);
  return window == std::chrono::days(1) ? key : fmt::format("{} {}", key, FormatDuration(window));
}

std::string GateKeyOfQuota(const std::string& quota_key) {
  return quota_key.substr(0, quota_key.find(' '));
}

}  // namespace patra::domain
