#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "app/heal/reset_fuse.h"
#include "base/moment.h"

namespace patra::app {
namespace {

std::string EndpointOrAll(const domain::SourceTarget& target) {
  return target.endpoint.value_or(std::string(domain::kEveryEndpoint));
}

// A pause that is over already would hold nothing.
Result<std::optional<Instant>> EndOfPause(const std::optional<std::string>& until, Instant now) {
  if (!until) return std::nullopt;
  const auto end = PATRA_TRY(ParseMoment(*until, now));
  if (end <= now)
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is past", FormatRfc3339(end)), {},
                "name a moment to come, such as +6h, or none for a pause without end");
  return end;
}

class StoreHolds final : public Holds {
 public:
  explicit StoreHolds(const DeskPorts& ports)
      : holds_(ports.store.holds()),
        definitions_(ports),
        gate_(ports.gate),
        clock_(ports.clock),
        mask_(ports.mask) {}

  Result<void> Pause(const PauseRequest& request, const domain::Actor& actor) override {
    const auto target = domain::TargetOf(request.target);
    const auto until = PATRA_TRY(EndOfPause(request.until, clock_.Now()));
    PATRA_TRY(definitions_.CheckTarget(target));
    const auto decision = mask_.Decided(actor, request.reason);
    return holds_.Pause({.provenance = target.source,
                         .endpoint = EndpointOrAll(target),
                         .reason = decision.reason,
                         .until = until},
                        decision);
  }

  Result<bool> Resume(const std::string& target, const std::string& reason,
                      const domain::Actor& actor) override {
    const auto named = domain::TargetOf(target);
    const auto resumed =
        holds_.Resume(named.source, EndpointOrAll(named), mask_.Decided(actor, reason));
    if (!resumed && resumed.error().code == ErrorCode::kNotFound) return false;
    if (!resumed) return std::unexpected(resumed.error());
    return true;
  }

  Result<std::vector<domain::Hold>> Fuses() override {
    auto holds = PATRA_TRY(holds_.Holds(domain::Role::kExecutor));
    std::erase_if(holds, [](const domain::Hold& hold) { return !hold.is_fuse; });
    return holds;
  }

  Result<void> ResetFuse(const std::string& target, const std::string& reason,
                         const domain::Actor& actor) override {
    return app::ResetFuse(holds_, *PATRA_TRY(gate_()), domain::TargetOf(target),
                          mask_.Decided(actor, reason));
  }

 private:
  HoldRepository& holds_;
  KnownDefinitions definitions_;
  GateDoor gate_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Holds> MakeHolds(const DeskPorts& ports) {
  return std::make_unique<StoreHolds>(ports);
}

}  // namespace patra::app
