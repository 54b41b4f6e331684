#include <algorithm>

#include "app/desk/desk_ports.h"
#include "base/duration.h"

namespace patra::app {
namespace {

class StoreAlerts final : public Alerts {
 public:
  explicit StoreAlerts(const DeskPorts& ports)
      : alerts_(ports.store.alerts()), clock_(ports.clock), mask_(ports.mask) {}

  Result<std::vector<AlertReport>> List(bool all, int alerts_max) override {
    const auto silences = PATRA_TRY(alerts_.Silences());
    std::vector<AlertReport> reports;
    for (auto& alert : PATRA_TRY(alerts_.List({.only_firing = !all, .alerts_max = alerts_max}))) {
      const bool is_silenced = std::ranges::any_of(
          silences, [&](const domain::Silence& silence) { return silence.Covers(alert); });
      reports.push_back({.alert = std::move(alert), .is_silenced = is_silenced});
    }
    return reports;
  }

  Result<Instant> Silence(const SilenceRequest& request, const domain::Actor& actor) override {
    const auto length = PATRA_TRY(ParseDuration(request.length));
    if (length <= Duration::zero()) {
      return Fail(ErrorCode::kInvalidInput, "a silence has to last", {},
                  "it is a length such as 2h or 7d");
    }
    const auto until = clock_.Now() + length;
    PATRA_TRY(alerts_.Silence(request.pattern, until, mask_.Decided(actor, request.reason)));
    return until;
  }

  Result<void> Resolve(const std::string& key) override {
    if (PATRA_TRY(alerts_.Resolve(key))) return {};
    return Fail(ErrorCode::kNotFound, "no alert of that key fires", {}, "see `‹alerts.list›`");
  }

 private:
  AlertRepository& alerts_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Alerts> MakeAlerts(const DeskPorts& ports) {
  return std::make_unique<StoreAlerts>(ports);
}

}  // namespace patra::app
