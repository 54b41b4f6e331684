#include "contract/stored_fields.h"

#include <fmt/format.h>

namespace patra::contract {

Result<Value> FieldsOf(const ItemRow& item) {
  auto fields = ParseJson(item.fields);
  if (fields) return fields;
  return std::unexpected(Error{
      ErrorCode::kCorruption,
      fmt::format("the stored fields of '{}' are no JSON: {}", item.id, fields.error().message),
      {},
      "run `patra db check`"});
}

}  // namespace patra::contract
