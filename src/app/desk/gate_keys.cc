#include "app/desk/desk_ports.h"
#include "domain/gate/gate_key.h"

namespace patra::app {
namespace {

GateKeyReport ReportOf(const GateStatus& status) {
  return {.key = status.key,
          .reason = std::string(Name(status.reason)),
          .blocked_until = status.blocked_until,
          .last_used_at = status.last_used_at,
          .share_ppm = status.share_ppm,
          .jitter = status.jitter,
          .in_flight = status.in_flight,
          .permits = status.counts.permits,
          .waits = status.counts.waits,
          .rejects = status.counts.rejects,
          .lost_slots = status.counts.lost_slots,
          .throttled = status.counts.throttled,
          .failures = status.counts.failures,
          .cool_downs = status.counts.cool_downs,
          .cuts = status.counts.cuts,
          .openings = status.counts.openings};
}

class StoreGateKeys final : public GateKeys {
 public:
  explicit StoreGateKeys(const DeskPorts& ports)
      : gate_(ports.gate),
        ledger_(ports.store.gate_ledger()),
        queue_(ports.store.queue()),
        clock_(ports.clock),
        mask_(ports.mask),
        counts_(ports.gate_counts) {}

  std::string counts() const override { return counts_; }

  Result<std::vector<GateKeyReport>> List() override {
    const auto statuses = PATRA_TRY(PATRA_TRY(gate_())->List());
    const auto quotas = PATRA_TRY(ledger_.Quotas(clock_.Now()));
    std::vector<GateKeyReport> reports;
    for (const auto& status : statuses) {
      auto report = ReportOf(status);
      for (const auto& quota : quotas) {
        if (domain::GateKeyOfQuota(quota.key) == status.key)
          report.quotas.push_back({quota.from, quota.to, quota.allowed, quota.reserved});
      }
      reports.push_back(std::move(report));
    }
    return reports;
  }

  Result<void> Reset(const std::string& key, const std::string& reason,
                     const domain::Actor& actor) override {
    auto& gate = *PATRA_TRY(gate_());
    PATRA_TRY(gate.Reset(key));
    // What the key held back would else look again only tomorrow.
    const auto source = key.substr(0, key.find_first_of("/#"));
    PATRA_TRY(queue_.FreeParked(source, key, mask_.Decided(actor, reason)));
    return {};
  }

 private:
  GateDoor gate_;
  GateLedger& ledger_;
  TaskQueue& queue_;
  Clock& clock_;
  SecretMask& mask_;
  const std::string counts_;
};

}  // namespace

std::unique_ptr<GateKeys> MakeGateKeys(const DeskPorts& ports) {
  return std::make_unique<StoreGateKeys>(ports);
}

}  // namespace patra::app
