#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"

namespace patra::app {
namespace {

class StoreSignals final : public Signals {
 public:
  explicit StoreSignals(const DeskPorts& ports)
      : signals_(ports.store.signals()), definitions_(ports), mask_(ports.mask) {}

  Result<bool> Add(const std::string& target, const domain::Signal& signal) override {
    auto added = signal;
    added.note = mask_.Mask(signal.note);
    added.origin = mask_.Mask(signal.origin);
    std::tie(added.provenance, added.endpoint) = PATRA_TRY(EndpointOf(target));
    PATRA_TRY(definitions_.CheckTarget(domain::TargetOf(target)));
    return signals_.Add(added);
  }

  Result<std::vector<domain::Signal>> List(const std::string& status, int signals_max) override {
    return signals_.List(status, signals_max);
  }

 private:
  SignalRepository& signals_;
  KnownDefinitions definitions_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Signals> MakeSignals(const DeskPorts& ports) {
  return std::make_unique<StoreSignals>(ports);
}

}  // namespace patra::app
