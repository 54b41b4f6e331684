// Where the parts of a record are in a provider's format, so that one fault can spoil any
// provider's records.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace patra::sim {

struct RecordShape {
  enum class Format { kJson, kXml };
  Format format = Format::kJson;
  // An XML element, or a JSON member by its path: "indexed/date-time".
  std::string_view id;
  std::string_view date;
  std::string_view required;  // a field that no record may lack
  std::string_view number;    // a field that is a number
};

enum class RecordDefect {
  kNone,
  kMissingId,
  kUnparsableDate,
  kFutureDate,
  kMissingField,
  kTypeChange,    // a text becomes an object
  kSchemaChange,  // the required field has another name
  kHugeInteger,   // beyond 64 bits
  kInvalidUtf8,
};

// Spoils the record that starts at `start` and ends with the text.
void Spoil(std::string& text, std::size_t start, const RecordShape& shape, RecordDefect defect);

}  // namespace patra::sim
