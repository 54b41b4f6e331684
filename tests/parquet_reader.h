// Reads what ParquetWriter writes, from the bytes and the format's own description, for tests: plain pages packed with zstd.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

namespace patra::testing {

// A value of Thrift's compact protocol.
struct ThriftValue {
  std::int64_t number = 0;  // also of booleans
  std::string text{};
  std::vector<ThriftValue> items{};
  std::map<int, ThriftValue> fields{};

  const ThriftValue& operator[](int field) const { return fields.at(field); }
  bool Has(int field) const { return fields.contains(field); }
};

class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  ThriftValue Struct() {
    ThriftValue value;
    int field = 0;
    while (const int head = Byte()) {
      const int type = head & 0x0F;
      field = (head >> 4) != 0 ? field + (head >> 4) : static_cast<int>(Zigzag());
      value.fields[field] = type <= 2 ? ThriftValue{.number = type == 1} : Read(type);
    }
    return value;
  }
  std::size_t at() const { return at_; }

 private:
  int Byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const int byte = Byte();
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::int64_t Zigzag() {
    const auto value = Varint();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  ThriftValue Read(int type) {
    switch (type) {
      case 4:
      case 5:
      case 6:
        return {.number = Zigzag()};
      case 8: {
        const auto size = Varint();
        const auto from = at_;
        at_ += size;
        return {.text = std::string(bytes_.substr(from, size))};
      }
      case 9: {
        const int head = Byte();
        const auto count = (head >> 4) == 15 ? Varint() : static_cast<std::uint64_t>(head >> 4);
        ThriftValue list;
        for (std::uint64_t i = 0; i < count; ++i) list.items.push_back(Read(head & 0x0F));
        return list;
      }
      case 12:
        return Struct();
      default:
        throw std::runtime_error("a type that no metadata of ours has");
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct ParquetContent {
  struct Column {
    std::string name;
    std::int64_t physical = 0;
    bool is_optional = false;
    std::int64_t converted = -1;  // none
    int logical = 0;              // which member of the union; none
    std::vector<std::optional<std::string>> values{};
    std::int64_t nothings = 0;  // as the footer says
    int pages = 0;
  };
  std::int64_t rows = 0;
  std::vector<std::int64_t> groups{};  // how many rows each has
  std::vector<Column> columns{};

  const Column& operator[](std::string_view name) const {
    for (const auto& column : columns) {
      if (column.name == name) return column;
    }
    throw std::out_of_range(std::string(name));
  }
};

class ParquetPages {
 public:
  ParquetPages(std::string_view file, ParquetContent::Column& column)
      : file_(file), column_(column) {}

  void ReadChunk(const ThriftValue& facts) {
    auto at = static_cast<std::size_t>(facts[9].number);
    for (std::int64_t left = facts[5].number; left > 0;) {
      ThriftReader header(file_.substr(at));
      const auto page = header.Struct();
      at += header.at();
      const auto packed = file_.substr(at, static_cast<std::size_t>(page[3].number));
      at += packed.size();
      std::string plain(static_cast<std::size_t>(page[2].number), '\0');
      const auto size = ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size());
      if (size != plain.size()) throw std::runtime_error("a page is shorter than it says");
      const auto values = page[5][1].number;
      ReadPage(plain, values);
      left -= values;
      ++column_.pages;
    }
    column_.nothings += facts[12][3].number;
    const auto end = facts[9].number + facts[7].number;
    if (static_cast<std::int64_t>(at) != end) throw std::runtime_error("a chunk ends elsewhere");
  }

 private:
  template <typename Number>
  static Number Take(std::string_view& bytes) {
    Number number;
    std::memcpy(&number, bytes.substr(0, sizeof number).data(), sizeof number);
    bytes.remove_prefix(sizeof number);
    return number;
  }

  static std::vector<bool> Levels(std::string_view runs) {
    std::vector<bool> levels;
    while (!runs.empty()) {
      std::uint64_t head = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = Take<std::uint8_t>(runs);
        head |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) break;
      }
      if ((head & 1) != 0) throw std::runtime_error("a run that is packed by bits");
      levels.insert(levels.end(), head >> 1, Take<std::uint8_t>(runs) == 1);
    }
    return levels;
  }

  void ReadPage(std::string_view bytes, std::int64_t values) {
    std::vector<bool> levels(static_cast<std::size_t>(values), true);
    if (column_.is_optional) {
      const auto size = Take<std::uint32_t>(bytes);
      levels = Levels(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    if (std::ssize(levels) != values) throw std::runtime_error("levels and values differ");
    std::size_t bit = 0;
    for (const bool is_there : levels) {
      column_.values.push_back(is_there ? std::optional(One(bytes, bit)) : std::nullopt);
    }
  }

  std::string One(std::string_view& bytes, std::size_t& bit) const {
    switch (column_.physical) {
      case 0: {
        const bool value = ((bytes.at(bit / 8) >> (bit % 8)) & 1) != 0;
        ++bit;
        return value ? "true" : "false";
      }
      case 1:
        return fmt::to_string(Take<std::int32_t>(bytes));
      case 2:
        return fmt::to_string(Take<std::int64_t>(bytes));
      case 5:
        return fmt::format("{}", Take<double>(bytes));
      default: {
        const auto size = Take<std::uint32_t>(bytes);
        const std::string text(bytes.substr(0, size));
        bytes.remove_prefix(size);
        return text;
      }
    }
  }

  std::string_view file_;
  ParquetContent::Column& column_;
};

// Throws where the bytes are no such file.
inline ParquetContent ReadParquet(std::string_view file) {
  if (file.size() < 12 || !file.starts_with("PAR1") || !file.ends_with("PAR1"))
    throw std::runtime_error("this is no Parquet file");
  std::uint32_t size = 0;
  std::memcpy(&size, file.data() + file.size() - 8, sizeof size);
  const auto footer = ThriftReader(file.substr(file.size() - 8 - size, size)).Struct();
  ParquetContent content{.rows = footer[3].number};
  const auto& schema = footer[2].items;
  for (std::size_t i = 1; i < schema.size(); ++i) {
    content.columns.push_back(
        {.name = schema[i][4].text,
         .physical = schema[i][1].number,
         .is_optional = schema[i][3].number == 1,
         .converted = schema[i].Has(6) ? schema[i][6].number : -1,
         .logical = schema[i].Has(10) ? schema[i][10].fields.begin()->first : 0});
  }
  for (const auto& group : footer[4].items) {
    content.groups.push_back(group[3].number);
    for (std::size_t i = 0; i < content.columns.size(); ++i)
      ParquetPages(file, content.columns[i]).ReadChunk(group[1].items.at(i)[3]);
  }
  return content;
}

}  // namespace patra::testing
