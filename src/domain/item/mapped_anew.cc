#include "domain/item/mapped_anew.h"

#include <algorithm>
#include <tuple>

namespace patra::domain {

Decides WhoDecides(const StoredItem& stored, const Record& record, Id batch) {
  if (stored.batch == batch) {
    const bool is_replayed = stored.version.fetched_at > record.version.fetched_at;
    return is_replayed ? Decides::kItsOwnPage : Decides::kThisPage;
  }
  const bool is_before = stored.version.mapping_generation < record.version.mapping_generation;
  return is_before ? Decides::kItsOwnPage : Decides::kVersions;
}

bool IsAsItWas(const StoredItem& stored, const Record& record) {
  const auto& [then, now] = std::tie(stored.version, record.version);
  return then.content_hash == now.content_hash && then.deleted == now.deleted &&
         then.updated_at == now.updated_at && then.provider_version == now.provider_version &&
         stored.merged_into == record.merged_into;
}

void Restate(StoredItem& stored, const Record& record) {
  auto& version = stored.version;
  version.updated_at = record.version.updated_at;
  version.provider_version = record.version.provider_version;
  version.mapping_generation =
      std::min(version.mapping_generation, record.version.mapping_generation - 1);
}

}  // namespace patra::domain
