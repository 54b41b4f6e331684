#include "base/thrift_compact.h"

namespace patra {
namespace {

constexpr int kShortDeltaMost = 15;
constexpr std::size_t kShortListMost = 14;

}  // namespace

void ThriftCompact::Varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void ThriftCompact::Zigzag(std::int64_t value) {
  Varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

// The step from the field before and the type share a byte where the step is small.
void ThriftCompact::Field(int field, Type type) {
  const int delta = field - last_.back();
  last_.back() = field;
  if (delta > 0 && delta <= kShortDeltaMost) {
    bytes_ += static_cast<char>((delta << 4) | static_cast<int>(type));
  } else {
    bytes_ += static_cast<char>(type);
    Zigzag(field);
  }
}

void ThriftCompact::Bool(int field, bool value) {
  Field(field, value ? Type::kTrue : Type::kFalse);
}

void ThriftCompact::I16(int field, std::int16_t value) {
  Field(field, Type::kI16);
  Zigzag(value);
}

void ThriftCompact::I32(int field, std::int32_t value) {
  Field(field, Type::kI32);
  Zigzag(value);
}

void ThriftCompact::I64(int field, std::int64_t value) {
  Field(field, Type::kI64);
  Zigzag(value);
}

void ThriftCompact::Text(int field, std::string_view value) {
  Field(field, Type::kBinary);
  Varint(value.size());
  bytes_ += value;
}

void ThriftCompact::BeginStruct(int field) {
  Field(field, Type::kStruct);
  last_.push_back(0);
}

void ThriftCompact::BeginElement() { last_.push_back(0); }

void ThriftCompact::EndStruct() {
  bytes_ += '\0';
  last_.pop_back();
}

void ThriftCompact::List(int field, Type element, std::size_t count) {
  Field(field, Type::kList);
  const auto type = static_cast<int>(element);
  if (count <= kShortListMost) {
    bytes_ += static_cast<char>((static_cast<int>(count) << 4) | type);
  } else {
    bytes_ += static_cast<char>(0xF0 | type);
    Varint(count);
  }
}

void ThriftCompact::BeginStructs(int field, std::size_t count) {
  List(field, Type::kStruct, count);
}

void ThriftCompact::I32s(int field, const std::vector<std::int32_t>& values) {
  List(field, Type::kI32, values.size());
  for (const auto value : values) Zigzag(value);
}

void ThriftCompact::Texts(int field, const std::vector<std::string>& values) {
  List(field, Type::kBinary, values.size());
  for (const auto& value : values) {
    Varint(value.size());
    bytes_ += value;
  }
}

}  // namespace patra
