#pragma once

#include "contract/items.h"
#include "infra/sql/archived_rows.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ItemQueries final : public contract::ItemQueries {
 public:
  ItemQueries(Database& database, ArchivedRows& archived)
      : database_(database), archived_(archived) {}

  Result<contract::ItemPage> Page(const contract::ItemFilter& filter,
                                  const std::optional<contract::ItemPlace>& after,
                                  int items_max) override;
  Result<std::vector<contract::ItemRow>> Newest(const contract::ItemFilter& filter,
                                                int items_max) override;
  Result<std::vector<contract::ItemRow>> Find(const std::string& source,
                                              const std::string& endpoint,
                                              const std::string& id) override;
  Result<std::optional<Id>> FirstBatch(const contract::ItemRow& item) override;
  Result<std::vector<Id>> PagesWith(const contract::ItemRow& item, int pages_max) override;
  Result<std::vector<contract::QuarantineRow>> Quarantined(const std::string& source,
                                                           const std::string& endpoint,
                                                           const std::string& id,
                                                           int rows_max) override;
  Result<std::vector<contract::ItemField>> Fields(const contract::ItemFilter& filter) override;

 private:
  Database& database_;
  ArchivedRows& archived_;
};

}  // namespace patra::infra::sql
