#include "contract/items.h"

namespace patra::contract {

Facts FactsOf(const ItemRow& item) {
  return {{"id", item.id},
          {"source", item.source},
          {"endpoint", item.endpoint},
          {"updatedAt", TimeFact(item.updated_at)},
          {"deletedAt", TimeFact(item.deleted_at)},
          {"mergedInto", TextFact(item.merged_into)},
          {"providerVersion", item.provider_version},
          {"mappingGeneration", item.mapping_generation},
          {"fetchedAt", TimeFact(item.fetched_at)},
          {"firstSeenAt", TimeFact(item.first_seen_at)},
          {"refreshedAt", TimeFact(item.refreshed_at)},
          {"contentHash", item.content_hash},
          {"exprHash", item.expr_hash},
          {"batch", IdFact(item.batch)},
          {"fields", JsonFact(item.fields)}};
}

Facts FactsOf(const QuarantineRow& row) {
  return {{"id", IdFact(row.id)},
          {"status", row.status},
          {"path", row.path},
          {"rule", row.rule},
          {"reason", row.reason},
          {"batch", IdFact(row.batch)},
          {"createdAt", TimeFact(row.created_at)}};
}

}  // namespace patra::contract
