#include "boot/open_desk.h"

#include "app/desk/desk_ports.h"
#include "base/clock.h"
#include "boot/credential_folder.h"
#include "boot/open_store.h"
#include "boot/sources_folder.h"
#include "infra/definitions/yaml_files.h"
#include "infra/gate/credential_book.h"
#include "infra/gate/rate_gate.h"

namespace patra::boot {
namespace {

// In the order in which its parts need each other.
struct DeskParts {
  explicit DeskParts(StoreAddress of) : address(std::move(of)) {}

  Result<app::RateGate*> Gate() {
    if (!gate)
      gate =
          PATRA_TRY(infra::gate::RateGate::Open(address.gate_file(), store->gate_ledger(), clock));
    return gate.get();
  }

  const StoreAddress address;
  SystemClock clock;
  std::unique_ptr<app::Store> store;
  std::unique_ptr<infra::gate::RateGate> gate;
  infra::definitions::YamlFiles files;
  infra::gate::CredentialBook book{UsersCredentialFolder(), address.name(), clock};
  std::unique_ptr<app::Desk> desk;
};

}  // namespace

Result<std::shared_ptr<app::Desk>> OpenDesk(const adapter::cli::StoreRequest& request) {
  auto parts = std::make_shared<DeskParts>(
      PATRA_TRY(request.makes ? StoreAddress::Parse(request.database)
                              : StoreAddress::OfExisting(request.database)));
  parts->store = PATRA_TRY(OpenStore(
      parts->address, request.changes ? StoreUse::kChange : StoreUse::kLook, parts->clock));
  parts->desk = app::MakeDesk({.store = *parts->store,
                               .gate = [&open = *parts] { return open.Gate(); },
                               .book = parts->book,
                               .files = parts->files,
                               .sources_folder = SourcesFolder(request.sources_folder),
                               .clock = parts->clock});
  return std::shared_ptr<app::Desk>(parts, parts->desk.get());
}

}  // namespace patra::boot
