#include "boot/open_registry.h"

#include "infra/curl/transport.h"
#include "infra/definitions/yaml_files.h"
#include "infra/registry/remote_registry.h"
#include "infra/secrets/system_secrets.h"

namespace patra::boot {
namespace {

// Whoever named the address chose it: it may be this machine, or one of a private network.
infra::curl::TransportOptions Reach() {
  return {.user_agent = "patra/" PATRA_VERSION,
          .allow_loopback = true,
          .networks = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"}};
}

struct RemoteParts {
  RemoteParts(infra::registry::RemoteAddress address, std::unique_ptr<infra::curl::Transport> way)
      : transport(std::move(way)), registry(std::move(address), *transport, files, secrets) {}

  const std::unique_ptr<infra::curl::Transport> transport;
  infra::definitions::YamlFiles files;
  infra::secrets::SystemSecrets secrets;
  infra::registry::RemoteRegistry registry;
};

}  // namespace

Result<std::shared_ptr<app::Registry>> OpenRegistry(const std::string& url,
                                                    const std::string& token, const Clock& clock) {
  if (url.empty()) return std::shared_ptr<app::Registry>();
  auto address = infra::registry::CheckAddress({.url = url, .token = token});
  if (!address) return std::unexpected(std::move(address).error().While("plan.registry"));
  auto transport = PATRA_TRY(infra::curl::Transport::Create(Reach(), clock));
  auto parts = std::make_shared<RemoteParts>(*std::move(address), std::move(transport));
  return std::shared_ptr<app::Registry>(parts, &parts->registry);
}

}  // namespace patra::boot
