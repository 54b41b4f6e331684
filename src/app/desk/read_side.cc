#include "app/desk/desk_ports.h"

namespace patra::app {
namespace {

// What the store says, and what this machine knows about other stores.
class StatusOfMachine final : public contract::StatusQueries {
 public:
  explicit StatusOfMachine(const DeskPorts& ports)
      : of_store_(ports.store.read().status()),
        book_(ports.book),
        gate_counts_(ports.gate_counts),
        gate_is_shared_(ports.gate_is_shared),
        store_is_shared_(ports.store_is_shared) {}

  Result<contract::StoreStatus> Status(Instant now) override {
    auto status = PATRA_TRY(of_store_.Status(now));
    status.gate_counts = gate_counts_;
    status.gate_is_shared = gate_is_shared_;
    status.store_is_shared = store_is_shared_;
    const auto shared = book_.Shared();
    if (!shared) status.sharing_unknown = shared.error().Describe();
    if (!shared) return status;
    for (const auto& one : *shared)
      status.shared_credentials.push_back({one.credential, one.store, one.other_name, one.used_at});
    return status;
  }

 private:
  contract::StatusQueries& of_store_;
  CredentialBook& book_;
  const std::string gate_counts_;
  const bool gate_is_shared_;
  const bool store_is_shared_;
};

class MachineReadSide final : public contract::ReadSide {
 public:
  explicit MachineReadSide(const DeskPorts& ports)
      : of_store_(ports.store.read()), status_(ports) {}

  contract::LedgerQueries& ledger() override { return of_store_.ledger(); }
  contract::ItemQueries& items() override { return of_store_.items(); }
  contract::StatusQueries& status() override { return status_; }
  contract::CompletenessQueries& completeness() override { return of_store_.completeness(); }
  contract::DashboardQueries& dashboard() override { return of_store_.dashboard(); }
  contract::ChangeQueries& changes() override { return of_store_.changes(); }

 private:
  contract::ReadSide& of_store_;
  StatusOfMachine status_;
};

}  // namespace

std::unique_ptr<contract::ReadSide> MakeReadSide(const DeskPorts& ports) {
  return std::make_unique<MachineReadSide>(ports);
}

}  // namespace patra::app
