#pragma once

#include "base/value.h"
#include "contract/items.h"

namespace patra::contract {

// The mapped fields of a record, taken apart.
Result<Value> FieldsOf(const ItemRow& item);

}  // namespace patra::contract
