// Thrift's compact protocol, as far as writing structures needs it: what the metadata of Parquet files is written in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace patra {

// Fields of a structure are written in the order of their numbers. Whatever is begun has to be ended. Not thread-safe.
class ThriftCompact {
 public:
  void Bool(int field, bool value);
  void I16(int field, std::int16_t value);
  void I32(int field, std::int32_t value);
  void I64(int field, std::int64_t value);
  void Text(int field, std::string_view value);

  void BeginStruct(int field);
  void EndStruct();
  // A structure that is an element of a list, or the outermost one.
  void BeginElement();
  void EndElement() { EndStruct(); }

  // Of so many elements, which follow without field numbers.
  void BeginStructs(int field, std::size_t count);
  void I32s(int field, const std::vector<std::int32_t>& values);
  void Texts(int field, const std::vector<std::string>& values);

  std::string Take() { return std::move(bytes_); }

 private:
  enum class Type : std::uint8_t {
    kTrue = 1,
    kFalse = 2,
    kI16 = 4,
    kI32 = 5,
    kI64 = 6,
    kBinary = 8,
    kList = 9,
    kStruct = 12
  };

  void Field(int field, Type type);
  void List(int field, Type element, std::size_t count);
  void Varint(std::uint64_t value);
  void Zigzag(std::int64_t value);

  std::string bytes_;
  std::vector<int> last_;  // the number of the field before, for each structure that is open
};

}  // namespace patra
