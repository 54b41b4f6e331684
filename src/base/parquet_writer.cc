// The layout (https://parquet.apache.org/docs/file-format/): "PAR1", row groups, metadata, its length, "PAR1". A row group is a chunk
// per column, a chunk a row of pages, and a page a header and the packed bytes of definition levels (whether there is a value, as
// runs) and of those values that are there.
#include "base/parquet_writer.h"

#include <bit>
#include <cstring>

#include "base/thrift_compact.h"
#include "base/zstd_frame.h"

namespace patra {
namespace {

static_assert(std::endian::native == std::endian::little, "Parquet's numbers are little-endian");

constexpr std::string_view kMagic = "PAR1";

// The numbers of parquet.thrift.
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kRunLengths = 3;
constexpr std::int32_t kZstd = 6;
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kIsRequired = 0;
constexpr std::int32_t kIsOptional = 1;

enum class Physical : std::int32_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kDouble = 5,
  kByteArray = 6
};

Physical PhysicalOf(ParquetType type) {
  switch (type) {
    case ParquetType::kText:
    case ParquetType::kJson:
      return Physical::kByteArray;
    case ParquetType::kInteger:
    case ParquetType::kTimestamp:
      return Physical::kInt64;
    case ParquetType::kNumber:
      return Physical::kDouble;
    case ParquetType::kBoolean:
      return Physical::kBoolean;
    case ParquetType::kDate:
      break;
  }
  return Physical::kInt32;
}

// A type is said twice: as readers of the first years know it, and as it is today.
void WriteLogicalType(ParquetType type, ThriftCompact& out) {
  constexpr int kConverted = 6, kLogical = 10;
  const auto say = [&](std::int32_t converted, int logical, const auto& write_parts) {
    out.I32(kConverted, converted);
    out.BeginStruct(kLogical);
    out.BeginStruct(logical);
    write_parts();
    out.EndStruct();
    out.EndStruct();
  };
  const auto nothing_more = [] {};
  switch (type) {
    case ParquetType::kText:
      return say(0, 1, nothing_more);
    case ParquetType::kJson:
      return say(19, 12, nothing_more);
    case ParquetType::kDate:
      return say(6, 6, nothing_more);
    case ParquetType::kTimestamp:
      return say(10, 8, [&] {
        out.Bool(1, true);   // UTC
        out.BeginStruct(2);  // the unit:
        out.BeginStruct(2);  // microseconds
        out.EndStruct();
        out.EndStruct();
      });
    case ParquetType::kInteger:
    case ParquetType::kNumber:
    case ParquetType::kBoolean:
      return;
  }
}

void WriteSchema(const std::vector<ParquetColumn>& columns, ThriftCompact& out) {
  out.BeginStructs(2, columns.size() + 1);
  out.BeginElement();
  out.Text(4, "records");
  out.I32(5, static_cast<std::int32_t>(columns.size()));
  out.EndElement();
  for (const auto& column : columns) {
    out.BeginElement();
    out.I32(1, static_cast<std::int32_t>(PhysicalOf(column.type)));
    out.I32(3, column.is_required ? kIsRequired : kIsOptional);
    out.Text(4, column.name);
    WriteLogicalType(column.type, out);
    out.EndElement();
  }
}

template <typename Number>
void AppendBytes(Number number, std::string& out) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

// The same level so many times: the length of the run, its lowest bit 0, and the level.
void AppendRun(std::uint64_t length, bool level, std::string& out) {
  for (length <<= 1; length >= 0x80; length >>= 7) out += static_cast<char>((length & 0x7F) | 0x80);
  out += static_cast<char>(length);
  out += level ? '\1' : '\0';
}

struct ChunkFacts {
  std::int64_t offset = 0;  // of its first page
  std::int64_t values = 0;  // those that are nothing included
  std::int64_t nothings = 0;
  std::int64_t plain_bytes = 0;
  std::int64_t packed_bytes = 0;
};

void WriteChunkFacts(const ParquetColumn& column, const ChunkFacts& facts, ThriftCompact& out) {
  out.BeginElement();
  out.I64(2, facts.offset);
  out.BeginStruct(3);
  out.I32(1, static_cast<std::int32_t>(PhysicalOf(column.type)));
  out.I32s(2, {kPlain, kRunLengths});
  out.Texts(3, {column.name});
  out.I32(4, kZstd);
  out.I64(5, facts.values);
  out.I64(6, facts.plain_bytes);
  out.I64(7, facts.packed_bytes);
  out.I64(9, facts.offset);
  out.BeginStruct(12);
  out.I64(3, facts.nothings);
  out.EndStruct();
  out.EndStruct();
  out.EndElement();
}

}  // namespace

class ParquetWriter::Chunk {
 public:
  Chunk(const ParquetColumn& column, std::size_t page_bytes_max)
      : type_(PhysicalOf(column.type)),
        is_required_(column.is_required),
        page_bytes_max_(page_bytes_max) {}

  void Text(std::string_view text) {
    PATRA_ASSERT(type_ == Physical::kByteArray);
    AppendBytes(static_cast<std::uint32_t>(text.size()), values_);
    values_ += text;
    Added(true);
  }
  template <typename Number>
  void Plain(Number number, Physical type) {
    PATRA_ASSERT(type_ == type);
    AppendBytes(number, values_);
    Added(true);
  }
  void Boolean(bool value) {
    PATRA_ASSERT(type_ == Physical::kBoolean);
    if (bits_ % 8 == 0) values_ += '\0';
    if (value) values_.back() = static_cast<char>(values_.back() | (1 << (bits_ % 8)));
    ++bits_;
    Added(true);
  }
  void Nothing() {
    PATRA_ASSERT(!is_required_);
    ++facts_.nothings;
    Added(false);
  }

  std::int64_t values() const { return facts_.values; }
  // Pages that are packed, and at most the one that is not.
  std::size_t bytes() const { return pages_.size() + values_.size() + levels_.size(); }

  // Its pages, and what the footer says of them; then it is empty again.
  std::pair<std::string, ChunkFacts> Take() {
    EndPage();
    return {std::exchange(pages_, {}), std::exchange(facts_, {})};
  }

 private:
  void Added(bool is_there) {
    ++facts_.values;
    ++page_values_;
    if (!is_required_) {
      if (run_ > 0 && is_there != run_level_) EndRun();
      run_level_ = is_there;
      ++run_;
    }
    if (values_.size() + levels_.size() >= page_bytes_max_) EndPage();
  }

  void EndRun() { AppendRun(std::exchange(run_, 0), run_level_, levels_); }

  void EndPage() {
    if (page_values_ == 0) return;
    if (run_ > 0) EndRun();
    std::string page;
    if (!is_required_) {
      AppendBytes(static_cast<std::uint32_t>(levels_.size()), page);
      page += levels_;
    }
    page += values_;
    const auto packed = Compress(page);
    ThriftCompact header;
    header.BeginElement();
    header.I32(1, kDataPage);
    header.I32(2, static_cast<std::int32_t>(page.size()));
    header.I32(3, static_cast<std::int32_t>(packed.size()));
    header.BeginStruct(5);
    header.I32(1, page_values_);
    header.I32(2, kPlain);
    header.I32(3, kRunLengths);
    header.I32(4, kRunLengths);
    header.EndStruct();
    header.EndElement();
    const auto head = header.Take();
    facts_.plain_bytes += static_cast<std::int64_t>(head.size() + page.size());
    facts_.packed_bytes += static_cast<std::int64_t>(head.size() + packed.size());
    pages_ += head;
    pages_ += packed;
    values_.clear();
    levels_.clear();
    page_values_ = 0;
    bits_ = 0;
  }

  Physical type_;
  bool is_required_;
  std::size_t page_bytes_max_;
  std::string pages_;   // packed, with their headers
  std::string values_;  // of the page at hand
  std::string levels_;
  std::uint64_t run_ = 0;
  bool run_level_ = false;
  std::int32_t page_values_ = 0;
  std::size_t bits_ = 0;  // of booleans in the page
  ChunkFacts facts_;
};

struct ParquetWriter::RowGroup {
  std::int64_t rows = 0;
  std::vector<ChunkFacts> chunks;
};

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, Sink sink,
                             const ParquetBounds& bounds)
    : columns_(std::move(columns)), sink_(std::move(sink)), bounds_(bounds) {
  for (const auto& column : columns_) chunks_.emplace_back(column, bounds_.page_bytes_max);
}

ParquetWriter::~ParquetWriter() = default;

void ParquetWriter::Text(std::size_t column, std::string_view text) { chunks_[column].Text(text); }

void ParquetWriter::Integer(std::size_t column, std::int64_t value) {
  chunks_[column].Plain(value, Physical::kInt64);
}

void ParquetWriter::Number(std::size_t column, double value) {
  chunks_[column].Plain(value, Physical::kDouble);
}

void ParquetWriter::Boolean(std::size_t column, bool value) { chunks_[column].Boolean(value); }

void ParquetWriter::Timestamp(std::size_t column, Instant moment) {
  chunks_[column].Plain(static_cast<std::int64_t>(moment.time_since_epoch().count()),
                        Physical::kInt64);
}

void ParquetWriter::Date(std::size_t column, std::chrono::sys_days day) {
  chunks_[column].Plain(static_cast<std::int32_t>(day.time_since_epoch().count()),
                        Physical::kInt32);
}

void ParquetWriter::Nothing(std::size_t column) { chunks_[column].Nothing(); }

Result<void> ParquetWriter::EndRow() {
  ++group_rows_;
  std::size_t bytes = 0;
  for (const auto& chunk : chunks_) {
    PATRA_ASSERT(chunk.values() == group_rows_);
    bytes += chunk.bytes();
  }
  if (group_rows_ < bounds_.group_rows_max && bytes < bounds_.group_bytes_max) return {};
  return EndGroup();
}

Result<void> ParquetWriter::Write(std::string_view bytes) {
  if (offset_ == 0) {
    PATRA_TRY(sink_(kMagic));
    offset_ = static_cast<std::int64_t>(kMagic.size());
  }
  PATRA_TRY(sink_(bytes));
  offset_ += static_cast<std::int64_t>(bytes.size());
  return {};
}

Result<void> ParquetWriter::EndGroup() {
  if (group_rows_ == 0) return {};
  PATRA_TRY(Write({}));  // the first chunk begins behind the magic bytes
  RowGroup group{.rows = std::exchange(group_rows_, 0), .chunks = {}};
  for (auto& chunk : chunks_) {
    auto [pages, facts] = chunk.Take();
    facts.offset = offset_;
    PATRA_TRY(Write(pages));
    group.chunks.push_back(facts);
  }
  rows_ += group.rows;
  groups_.push_back(std::move(group));
  return {};
}

std::string ParquetWriter::Footer() const {
  ThriftCompact out;
  out.BeginElement();
  out.I32(1, 2);  // the version of the format
  WriteSchema(columns_, out);
  out.I64(3, rows_);
  out.BeginStructs(4, groups_.size());
  for (const auto& group : groups_) {
    std::int64_t plain_bytes = 0, packed_bytes = 0;
    out.BeginElement();
    out.BeginStructs(1, group.chunks.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      WriteChunkFacts(columns_[i], group.chunks[i], out);
      plain_bytes += group.chunks[i].plain_bytes;
      packed_bytes += group.chunks[i].packed_bytes;
    }
    out.I64(2, plain_bytes);
    out.I64(3, group.rows);
    out.I64(5, group.chunks.empty() ? 0 : group.chunks.front().offset);
    out.I64(6, packed_bytes);
    out.EndElement();
  }
  out.Text(6, "patra");
  out.EndElement();
  return out.Take();
}

Result<void> ParquetWriter::Finish() {
  PATRA_TRY(EndGroup());
  auto tail = Footer();
  AppendBytes(static_cast<std::uint32_t>(tail.size()), tail);
  tail += kMagic;
  return Write(tail);
}

}  // namespace patra
