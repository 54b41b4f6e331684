#pragma once

#include "app/port/registry.h"
#include "base/id.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// The reg_* tables. Thread-safe, as the store is.
class Registry final : public app::Registry {
 public:
  Registry(Store& store, IdGenerator& ids) : store_(store), ids_(ids) {}

  Result<std::vector<app::RegistryChange>> Diff(const app::RegistryContent& content) override;
  Result<std::vector<app::RegistryChange>> Apply(const app::RegistryContent& content,
                                                 Instant from) override;
  Result<std::vector<domain::QueryField>> Fields() override;
  Result<std::vector<domain::DefinitionNode>> Export(Instant at) override;

 private:
  Store& store_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sqlite
