// Parquet, as far as flat tables need it: typed columns that may hold nothing, in row groups, plainly encoded and packed with
// zstd. Written here because no library of Debian 12 does it, and because it is a few hundred lines: the format's
// many other encodings are for readers, who have to know them all, while a writer may choose.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra {

enum class ParquetType { kText, kJson, kInteger, kNumber, kBoolean, kTimestamp, kDate };

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::kText;
  bool is_required = false;  // else it may hold nothing
};

// What is kept in memory before it is written.
struct ParquetBounds {
  std::int64_t group_rows_max = 131'072;
  std::size_t group_bytes_max = std::size_t{32} << 20;  // packed, of all columns
  std::size_t page_bytes_max = std::size_t{1} << 20;    // of one column, before packing
};

// Row by row: one value per column, then EndRow. Memory holds one row group, and of those before it where their columns are.
// Bytes go to the sink in their order, so that a pipe will do. Not thread-safe.
class ParquetWriter {
 public:
  using Sink = std::function<Result<void>(std::string_view bytes)>;

  ParquetWriter(std::vector<ParquetColumn> columns, Sink sink, const ParquetBounds& bounds = {});
  ~ParquetWriter();
  ParquetWriter(const ParquetWriter&) = delete;
  ParquetWriter& operator=(const ParquetWriter&) = delete;

  // REQUIRES: the column is of that type, and has no value of this row yet
  void Text(std::size_t column, std::string_view text);  // kText, kJson: valid UTF-8
  void Integer(std::size_t column, std::int64_t value);
  void Number(std::size_t column, double value);
  void Boolean(std::size_t column, bool value);
  void Timestamp(std::size_t column, Instant moment);
  void Date(std::size_t column, std::chrono::sys_days day);
  void Nothing(std::size_t column);  // REQUIRES: not is_required

  Result<void> EndRow();

  // The rest, and the footer without which nobody can read the file.
  Result<void> Finish();

 private:
  class Chunk;      // of one column in the row group at hand
  struct RowGroup;  // what the footer says of one

  Result<void> Write(std::string_view bytes);
  Result<void> EndGroup();
  std::string Footer() const;

  const std::vector<ParquetColumn> columns_;
  const Sink sink_;
  const ParquetBounds bounds_;
  std::vector<Chunk> chunks_;
  std::vector<RowGroup> groups_;
  std::int64_t group_rows_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t offset_ = 0;  // how many bytes the sink has
};

}  // namespace patra
