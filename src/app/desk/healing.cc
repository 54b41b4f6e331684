#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "base/moment.h"

namespace patra::app {
namespace {

class StoreHealing final : public Healing {
 public:
  explicit StoreHealing(const DeskPorts& ports)
      : journal_(ports.store.journal()),
        adjustments_(ports.store.adjustments()),
        clock_(ports.clock),
        mask_(ports.mask) {}

  Result<std::vector<domain::HealEntry>> Log(const std::string& source, const std::string& since,
                                             int entries_max) override {
    return journal_.List(source, PATRA_TRY(ParseMoment(since, clock_.Now())), entries_max);
  }

  Result<std::vector<domain::Adjustment>> Adjustments() override { return adjustments_.List(); }

  Result<bool> TakeBack(const AdjustmentTarget& target, const std::string& reason,
                        const domain::Actor& actor) override {
    const auto [source, endpoint] = PATRA_TRY(EndpointOf(target.target));
    const auto kind = domain::FindCode<domain::AdjustmentKind>(target.kind);
    if (!kind) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("nothing of the kind '{}' is adjusted", target.kind), {},
                  "see `‹heal.adjustments›`");
    }
    return adjustments_.TakeBack(source, endpoint, *kind, mask_.Decided(actor, reason));
  }

 private:
  HealJournal& journal_;
  AdjustmentRepository& adjustments_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Healing> MakeHealing(const DeskPorts& ports) {
  return std::make_unique<StoreHealing>(ports);
}

}  // namespace patra::app
