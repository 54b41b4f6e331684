#pragma once

#include "app/port/store_care.h"
#include "infra/mysql/address.h"

namespace patra::infra::mysql {

class StoreCare final : public app::StoreCare {
 public:
  explicit StoreCare(Address address) : address_(std::move(address)) {}

  Result<app::SchemaChange> Migrate(Instant now) override;
  Result<app::StoreFindings> Check() override;
  Result<app::StoreFindings> Look() override;
  Result<std::vector<app::StoreAnswer>> Ask(Instant now) override;
  // The server's own tools know how to do that while others write.
  Result<void> BackUp(const std::string& target) override;
  Result<void> Restore(const std::string& backup) override;

 private:
  const Address address_;
};

}  // namespace patra::infra::mysql
