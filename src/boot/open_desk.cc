#include "boot/open_desk.h"

#include <mutex>
#include <optional>

#include "app/desk/desk_ports.h"
#include "base/clock.h"
#include "boot/credential_folder.h"
#include "boot/open_gate.h"
#include "boot/open_registry.h"
#include "boot/open_store.h"
#include "boot/sources_folder.h"
#include "infra/definitions/yaml_files.h"
#include "infra/gate/credential_book.h"
#include "infra/secrets/system_secrets.h"

namespace patra::boot {
namespace {

// In the order in which its parts need each other.
struct DeskParts {
  DeskParts(StoreAddress of, std::string gate_of)
      : address(std::move(of)), gate_url(std::move(gate_of)) {}

  // Several threads may ask at one desk.
  Result<app::RateGate*> Gate() {
    const std::lock_guard lock(opening);
    if (!gate) gate = PATRA_TRY(OpenGate(gate_url, address, *store, store->clock()));
    return gate.get();
  }

  const StoreAddress address;
  const std::string gate_url;
  SystemClock clock;
  std::unique_ptr<app::Store> store;
  std::shared_ptr<app::Registry> registry;  // of another machine; null: the store's
  std::mutex opening;
  std::unique_ptr<app::RateGate> gate;
  infra::definitions::YamlFiles files;
  infra::gate::CredentialBook book{UsersCredentialFolder(), address.name(), clock};
  infra::secrets::SystemSecrets secrets;
  app::Redactor redactor;
  std::optional<app::SecretMask> mask;
  std::unique_ptr<app::Desk> desk;
};

}  // namespace

Result<std::shared_ptr<app::Desk>> OpenDesk(const adapter::cli::StoreRequest& request) {
  auto parts = std::make_shared<DeskParts>(
      PATRA_TRY(request.makes ? StoreAddress::Parse(request.database)
                              : StoreAddress::OfExisting(request.database)),
      request.gate);
  parts->store =
      PATRA_TRY(OpenStore(parts->address, request.changes ? StoreUse::kChange : StoreUse::kLook,
                          parts->clock, {.release = request.release}));
  parts->registry = PATRA_TRY(OpenRegistry(request.registry, request.registry_token, parts->clock));
  const auto folder = SourcesFolder(request.sources_folder);
  parts->mask.emplace(app::SecretMaskPorts{
      .registry = parts->registry ? *parts->registry : parts->store->registry(),
      .files = parts->files,
      .sources_folder = folder,
      .secrets = parts->secrets,
      .redactor = parts->redactor,
      .clock = parts->store->clock()});
  parts->desk = app::MakeDesk({.store = *parts->store,
                               .gate = [&open = *parts] { return open.Gate(); },
                               .gate_counts = CountsOfGate(request.gate, parts->address),
                               .gate_is_shared = !request.gate.empty(),
                               .store_is_shared = parts->address.server().has_value(),
                               .book = parts->book,
                               .files = parts->files,
                               .sources_folder = folder,
                               .clock = parts->store->clock(),
                               .registry = parts->registry.get(),
                               .mask = *parts->mask});
  return std::shared_ptr<app::Desk>(parts, parts->desk.get());
}

}  // namespace patra::boot
