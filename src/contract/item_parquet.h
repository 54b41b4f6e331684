// Records as rows of a Parquet file, with a typed column per mapped field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/parquet_writer.h"
#include "contract/items.h"

namespace patra::contract {

// A value that the type of its column cannot hold: an older definition made it, or another endpoint.
struct Misfit {
  std::string item;
  std::string field;
  std::string value;  // as JSON
};

// Columns: source, endpoint, id, updatedAt, deletedAt, mergedInto, the fields, and `otherFields`: what a record has and its
// definition does not map any more, as JSON. A field that is called like another column, in any case, has `field_` before
// its name, as in the endpoint's SQL view. Lists and objects are JSON. Not thread-safe.
class ItemParquet {
 public:
  // Where fields were chosen, there is no column for the others.
  enum class Others { kKeep, kLeaveOut };

  ItemParquet(std::vector<ItemField> fields, Others others, ParquetWriter::Sink sink,
              const ParquetBounds& bounds = {});

  // Nothing of a record is written where one of its values does not fit.
  Result<std::optional<Misfit>> Add(const ItemRow& item);

  Result<void> Finish() { return writer_.Finish(); }

 private:
  std::optional<Misfit> FindMisfit(const ItemRow& item, const Value& values) const;
  void AddOthers(const Value& values);

  const std::vector<ItemField> fields_;
  const Others others_;
  ParquetWriter writer_;
};

}  // namespace patra::contract
