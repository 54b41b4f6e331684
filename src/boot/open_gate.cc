#include "boot/open_gate.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "boot/credential_folder.h"
#include "boot/optional_secret.h"
#include "infra/gate/credential_book.h"
#include "infra/gate/rate_gate.h"
#include "infra/gate/resting_view.h"
#include "infra/redis/rate_gate.h"

namespace patra::boot {
namespace {

// As `patra status` counts them.
constexpr Duration kAliveWithin = std::chrono::minutes(1);

// A file that is there is used by somebody, or was left by who died.
bool MayStandAt(const std::string& gate_file) {
  if (access(gate_file.c_str(), F_OK) == 0) return true;
  const auto folder = std::filesystem::path(gate_file).parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

Result<std::unique_ptr<app::RateGate>> OpenGate(const std::string& url, const StoreAddress& address,
                                                app::Store& store, const Clock& clock) {
  if (url.empty()) {
    if (address.server()) PATRA_TRY(infra::gate::MakeCredentialFolder(UsersCredentialFolder()));
    if (!MayStandAt(address.gate_file()))
      return std::make_unique<infra::gate::RestingView>(store.gate_ledger(), clock);
    return PATRA_TRY(infra::gate::RateGate::Open(address.gate_file(), store.gate_ledger(), clock));
  }
  const auto redis = PATRA_TRY(infra::redis::RedisAddress::Parse(url));
  auto password = PATRA_TRY(OptionalSecret("PATRA_GATE_PASSWORD"));
  // A store that cannot be asked says nothing new: what it said last holds.
  const auto count = [&executors = store.executors(), last = 1]() mutable {
    if (const auto alive = executors.Alive(kAliveWithin))
      last = std::max(1, static_cast<int>(alive->size()));
    return last;
  };
  return PATRA_TRY(infra::redis::RateGate::Open(
      {.shared = {.connect = {.address = redis, .password = std::move(password)}},
       .executors = count},
      store.gate_ledger(), clock));
}

std::string CountsOfGate(const std::string& url, const StoreAddress& address) {
  if (url.empty() && address.server()) {
    return "the processes of this user on this machine alone; `--gate redis://HOST/0` counts for "
           "all machines";
  }
  if (url.empty()) return app::GateReach{}.counts;
  const auto redis = infra::redis::RedisAddress::Parse(url);
  return infra::redis::ReachOf(redis ? redis->Text() : "that Redis");
}

}  // namespace patra::boot
