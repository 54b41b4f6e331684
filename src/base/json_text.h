// JSON as text: where it breaks the rules, and where its pieces begin and end. The fast parser says
// only that something is wrong; this says what and where, and cuts what cannot be parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace patra {

struct JsonTrouble {
  ErrorCode code = ErrorCode::kInvalidInput;
  std::size_t offset = 0;
  std::string message;
  std::string hint;

  // As an error, with the line and column of the offset in `text`.
  Error In(std::string_view text) const;
};

struct JsonCheck {
  std::optional<JsonTrouble> trouble;  // the first, if any
  // Where integers end that have more than 64 bits. They are valid, and no parser keeps them exactly.
  std::vector<std::size_t> long_integers;
};

// Checks that the whole text is one value by RFC 8259 whose numbers fit a double. Integers of any
// length pass, and so do repeated names.
JsonCheck CheckJson(std::string_view text, int depth_max);

// The container's members, by brackets, quotes and commas alone: the content may break every other
// rule.
struct JsonPiece {
  std::optional<std::string> name;  // an object member's, unescaped; none in arrays or if invalid
  std::size_t begin = 0;            // of the value, without the blanks around it
  std::size_t end = 0;
};
struct JsonPieces {
  bool is_array = false;
  std::vector<JsonPiece> pieces;
};

// Cuts the container that starts at `offset`. Nothing if there is no container there, its brackets
// and quotes do not pair up, or it has more than a million members.
std::optional<JsonPieces> CutJson(std::string_view text, std::size_t offset);

}  // namespace patra
