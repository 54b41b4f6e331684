// What a request waits for.
#pragma once

#include <cstdint>
#include <string_view>

namespace patra::domain {

enum class WaitReason : std::uint8_t {
  kNone,
  kPace,
  kWindow,
  kConcurrency,
  kQuota,
  kCoolDown,
  kBreaker,
  kTurn,  // other tasks, or more urgent ones, come first
  kRetryBudget,
  kRefused,     // the provider does not accept the credential
  kNewerPatra,  // this program cannot read what a newer one has planned
};
std::string_view Name(WaitReason reason);  // "COOL_DOWN"

// The provider is in trouble, or we are with it. All else is what every request waits for.
bool IsTrouble(WaitReason reason);

}  // namespace patra::domain
