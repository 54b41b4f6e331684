#pragma once

#include "app/port/registry.h"
#include "base/id.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// The reg_* tables. Thread-safe, as the store is.
class Registry final : public app::Registry {
 public:
  Registry(Database& database, IdGenerator& ids, std::string release = {})
      : database_(database), ids_(ids), release_(std::move(release)) {}

  std::string Release() const override { return release_; }

  Result<std::vector<app::RegistryChange>> Diff(const app::RegistryContent& content) override;
  Result<std::vector<app::RegistryChange>> Apply(const app::RegistryContent& content,
                                                 Instant from) override;
  Result<std::vector<app::RegistryChange>> Promote(Instant from) override;
  Result<std::vector<app::RegistryChange>> Drop(Instant from) override;
  Result<domain::CodeDictionary> Codes() override;
  Result<std::vector<domain::QueryField>> Fields() override;
  Result<std::optional<app::RegisteredSource>> Find(const std::string& source, Instant at,
                                                    const std::string& known_version) override;
  Result<std::vector<std::string>> Names(Instant at) override;
  Result<std::vector<domain::DefinitionNode>> Export(Instant at) override;

 private:
  Database& database_;
  IdGenerator& ids_;
  const std::string release_;
};

}  // namespace patra::infra::sql
