#include "app/desk/desk_ports.h"

namespace patra::app {
namespace {

class StoreDesk final : public Desk {
 public:
  explicit StoreDesk(const DeskPorts& ports)
      : read_(MakeReadSide(ports)),
        names_(MakeNames(ports)),
        verification_(MakeVerification(ports.store.read().completeness(), ports.clock)),
        changes_(MakeChanges(ports)),
        corrections_(MakeCorrections(ports)),
        quarantine_(MakeQuarantine(ports)),
        holds_(MakeHolds(ports)),
        signals_(MakeSignals(ports)),
        healing_(MakeHealing(ports)),
        alerts_(MakeAlerts(ports)),
        gate_keys_(MakeGateKeys(ports)),
        registry_moves_(MakeRegistryMoves(ports)),
        schedule_(MakeSchedule(ports)),
        tokens_(MakeTokens(ports)),
        kept_answers_(MakeKeptAnswers(ports)),
        mask_(ports.mask) {}

  contract::ReadSide& read() override { return *read_; }
  Names& names() override { return *names_; }
  Verification& verification() override { return *verification_; }
  Changes& changes() override { return *changes_; }
  Corrections& corrections() override { return *corrections_; }
  Quarantine& quarantine() override { return *quarantine_; }
  Holds& holds() override { return *holds_; }
  Signals& signals() override { return *signals_; }
  Healing& healing() override { return *healing_; }
  Alerts& alerts() override { return *alerts_; }
  GateKeys& gate_keys() override { return *gate_keys_; }
  RegistryMoves& registry_moves() override { return *registry_moves_; }
  Schedule& schedule() override { return *schedule_; }
  Tokens& tokens() override { return *tokens_; }
  KeptAnswers& kept_answers() override { return *kept_answers_; }
  std::string WithoutSecrets(const std::string& text) override { return mask_.Mask(text); }

 private:
  std::unique_ptr<contract::ReadSide> read_;
  std::unique_ptr<Names> names_;
  std::unique_ptr<Verification> verification_;
  std::unique_ptr<Changes> changes_;
  std::unique_ptr<Corrections> corrections_;
  std::unique_ptr<Quarantine> quarantine_;
  std::unique_ptr<Holds> holds_;
  std::unique_ptr<Signals> signals_;
  std::unique_ptr<Healing> healing_;
  std::unique_ptr<Alerts> alerts_;
  std::unique_ptr<GateKeys> gate_keys_;
  std::unique_ptr<RegistryMoves> registry_moves_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<Tokens> tokens_;
  std::unique_ptr<KeptAnswers> kept_answers_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Desk> MakeDesk(const DeskPorts& ports) {
  return std::make_unique<StoreDesk>(ports);
}

}  // namespace patra::app
