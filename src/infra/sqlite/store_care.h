#pragma once

#include <utility>

#include "app/port/store_care.h"

namespace patra::infra::sqlite {

class StoreCare final : public app::StoreCare {
 public:
  explicit StoreCare(std::string file) : file_(std::move(file)) {}

  Result<app::SchemaChange> Migrate(Instant now) override;
  Result<app::StoreFindings> Check() override;
  Result<app::StoreFindings> Look() override;
  Result<std::vector<app::StoreAnswer>> Ask(Instant now) override;
  Result<void> BackUp(const std::string& target) override;
  Result<void> Restore(const std::string& backup) override;

 private:
  const std::string file_;
};

}  // namespace patra::infra::sqlite
