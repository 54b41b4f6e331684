#include "domain/item/overwrite.h"

namespace patra::domain {

OverwriteDecision DecideOverwrite(const ItemVersion* existing, const ItemVersion& incoming) {
  if (existing == nullptr) return {Overwrite::kInsert, true};
  const bool same_content =
      existing->content_hash == incoming.content_hash && existing->deleted == incoming.deleted;
  if (same_content) return {Overwrite::kUnchanged, incoming > *existing};
  if (incoming > *existing) return {Overwrite::kUpdate, true};
  return {Overwrite::kStale, false};
}

}  // namespace patra::domain
