// The registry of another machine, by its API: definitions are read there, and applied nowhere from here.
#pragma once

#include <string>
#include <vector>

#include "app/port/definition_files.h"
#include "app/port/registry.h"
#include "app/port/secrets.h"
#include "app/port/transport.h"
#include "base/value.h"

namespace patra::infra::registry {

struct RemoteAddress {
  std::string url;    // https://HOST:PORT; without TLS only on this machine
  std::string token;  // a reference, env:NAME or file:PATH: it is looked up for each request
};

// An error where it is no such address, or where the token would stand in it.
Result<RemoteAddress> CheckAddress(RemoteAddress address);

// Thread-safe, as what it stands on is.
class RemoteRegistry final : public app::Registry {
 public:
  RemoteRegistry(RemoteAddress address, app::Transport& transport, app::DefinitionFiles& files,
                 app::Secrets& secrets)
      : address_(std::move(address)), transport_(transport), files_(files), secrets_(secrets) {}

  // The other machine's own: what it reads is what we get.
  std::string Release() const override { return {}; }
  Result<std::vector<app::RegistryChange>> Diff(const app::RegistryContent& content) override;
  Result<std::vector<app::RegistryChange>> Apply(const app::RegistryContent& content,
                                                 Instant from) override;
  Result<std::vector<app::RegistryChange>> Promote(Instant from) override;
  Result<std::vector<app::RegistryChange>> Drop(Instant from) override;
  Result<domain::CodeDictionary> Codes() override;
  Result<std::vector<domain::QueryField>> Fields() override;
  // As it is valid now by the other machine's clock: `at` is ours.
  Result<std::optional<app::RegisteredSource>> Find(const std::string& source, Instant at,
                                                    const std::string& known_version) override;
  Result<std::vector<std::string>> Names(Instant at) override;
  Result<std::vector<domain::DefinitionNode>> Export(Instant at) override;

 private:
  // The body; nothing where what is known is still so.
  Result<std::optional<Value>> Ask(const std::string& path, const std::string& known_version = {});
  Result<std::vector<app::DefinitionFile>> AskForAll(Instant at);

  const RemoteAddress address_;
  app::Transport& transport_;
  app::DefinitionFiles& files_;
  app::Secrets& secrets_;
};

}  // namespace patra::infra::registry
