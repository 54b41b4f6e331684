// What the use cases of a desk stand on.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/api/desk.h"
#include "app/port/credential_book.h"
#include "app/port/definition_files.h"
#include "app/port/rate_gate.h"
#include "app/port/stop_request.h"
#include "app/port/store.h"
#include "app/source/secret_mask.h"
#include "base/clock.h"
#include "domain/retention/retention_policy.h"

namespace patra::app {

// Opened when it is asked for: a gate is made where there is none, and who looks at alerts makes none.
using GateDoor = std::function<Result<RateGate*>()>;

struct DeskPorts {
  Store& store;
  GateDoor gate;
  std::string gate_counts = GateReach{}.counts;  // whose requests
  bool gate_is_shared = false;                   // with other stores
  bool store_is_shared = false;                  // with other machines
  CredentialBook& book;
  DefinitionFiles& files;
  std::string sources_folder{};  // definitions that may be newer than the registry's
  Clock& clock;
  Registry* registry = nullptr;  // another machine's; null: the store's
  domain::RetentionPolicy retention{};
  const StopRequest* stop = nullptr;  // of what takes long; null: nobody asks
  SecretMask& mask;                   // of what people write
};

std::unique_ptr<Alerts> MakeAlerts(const DeskPorts& ports);
std::unique_ptr<contract::ReadSide> MakeReadSide(const DeskPorts& ports);
std::unique_ptr<Changes> MakeChanges(const DeskPorts& ports);
std::unique_ptr<Corrections> MakeCorrections(const DeskPorts& ports);
std::unique_ptr<GateKeys> MakeGateKeys(const DeskPorts& ports);
std::unique_ptr<Healing> MakeHealing(const DeskPorts& ports);
std::unique_ptr<Holds> MakeHolds(const DeskPorts& ports);
std::unique_ptr<KeptAnswers> MakeKeptAnswers(const DeskPorts& ports);
std::unique_ptr<Names> MakeNames(const DeskPorts& ports);
std::unique_ptr<Quarantine> MakeQuarantine(const DeskPorts& ports);
std::unique_ptr<RegistryMoves> MakeRegistryMoves(const DeskPorts& ports);
std::unique_ptr<Remapping> MakeRemapping(const DeskPorts& ports);
std::unique_ptr<Retention> MakeRetention(const DeskPorts& ports);
std::unique_ptr<Schedule> MakeSchedule(const DeskPorts& ports);
std::unique_ptr<Signals> MakeSignals(const DeskPorts& ports);
std::unique_ptr<Tokens> MakeTokens(const DeskPorts& ports);
std::unique_ptr<Verification> MakeVerification(contract::CompletenessQueries& queries,
                                               Clock& clock);

std::unique_ptr<Desk> MakeDesk(const DeskPorts& ports);

}  // namespace patra::app
