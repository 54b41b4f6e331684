#include "base/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "base/utf8.h"
#include "base/value.h"

namespace patra {
namespace {

std::string Shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02X}", byte);
}

// A recursive descent over RFC 8259's grammar. Every function returns false when trouble_ is set.
class Checker {
 public:
  Checker(std::string_view text, int depth_max) : text_(text), depth_max_(depth_max) {}

  JsonCheck Run() {
    if (Element(0) && at_ < text_.size()) {
      Trouble(at_, fmt::format("{} after the end of the value", Shown(text_[at_])),
              "a page is one JSON value");
    }
    return {std::move(trouble_), std::move(long_integers_)};
  }

 private:
  bool Trouble(std::size_t offset, std::string message, std::string hint = {},
               ErrorCode code = ErrorCode::kInvalidInput) {
    trouble_ = JsonTrouble{code, offset, std::move(message), std::move(hint)};
    return false;
  }

  bool Unexpected(std::string_view expected) {
    if (at_ >= text_.size()) {
      return Trouble(text_.size(), fmt::format("the text ends where {} should be", expected),
                     "the body may be cut off");
    }
    return Trouble(at_, fmt::format("{} where {} should be", Shown(text_[at_]), expected));
  }

  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  bool Next(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Take(char c) {
    if (!Next(c)) return false;
    ++at_;
    return true;
  }

  // A value with blanks around it.
  bool Element(int depth) {
    SkipBlanks();
    if (!ValueHere(depth)) return false;
    SkipBlanks();
    return true;
  }

  bool ValueHere(int depth) {
    if (at_ >= text_.size()) return Unexpected("a value");
    switch (text_[at_]) {
      case '{':
      case '[':
        if (depth >= depth_max_) {
          return Trouble(at_, fmt::format("JSON is nested deeper than {} levels", depth_max_), {},
                         ErrorCode::kLimit);
        }
        return text_[at_] == '{' ? Object(depth) : Array(depth);
      case '"':
        return String();
      case 't':
        return Word("true");
      case 'f':
        return Word("false");
      case 'n':
        return Word("null");
      default:
        return text_[at_] == '-' || IsDigit(text_[at_]) ? Number() : Unexpected("a value");
    }
  }

  bool Object(int depth) {
    ++at_;
    SkipBlanks();
    if (Take('}')) return true;
    do {
      SkipBlanks();
      if (!Next('"')) return Unexpected("a name in quotes");
      if (!String()) return false;
      SkipBlanks();
      if (!Take(':')) return Unexpected("':'");
      if (!Element(depth + 1)) return false;
    } while (Take(','));
    return Take('}') || Unexpected("',' or '}'");
  }

  bool Array(int depth) {
    ++at_;
    SkipBlanks();
    if (Take(']')) return true;
    do {
      if (!Element(depth + 1)) return false;
    } while (Take(','));
    return Take(']') || Unexpected("',' or ']'");
  }

  bool Word(std::string_view word) {
    const auto start = at_;
    if (text_.substr(at_, word.size()) != word) {
      while (at_ < text_.size() && at_ - start < word.size() && text_[at_] == word[at_ - start]) {
        ++at_;
      }
      return Unexpected(fmt::format("the rest of '{}'", word));
    }
    at_ += word.size();
    return true;
  }

  bool Digits() {
    if (at_ >= text_.size() || !IsDigit(text_[at_])) return Unexpected("a digit");
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return true;
  }

  bool Number() {
    const auto start = at_;
    Take('-');
    if (Take('0')) {
      if (at_ < text_.size() && IsDigit(text_[at_])) {
        return Trouble(at_, "a number must not start with 0", "write it without leading zeros");
      }
    } else if (!Digits()) {
      return false;
    }
    const auto whole = text_.substr(start, at_ - start);
    if (Take('.') && !Digits()) return false;
    if (Next('e') || Next('E')) {
      ++at_;
      if (!Take('+')) Take('-');
      if (!Digits()) return false;
    }
    const bool is_integer = at_ == start + whole.size();
    if (is_integer && !FitsInteger(whole)) long_integers_.push_back(at_);
    return FitsDouble(start);
  }

  static bool FitsInteger(std::string_view digits) {
    const auto fits = [&](auto number) {
      return std::from_chars(digits.data(), digits.data() + digits.size(), number).ec ==
             std::errc();
    };
    return digits.starts_with('-') ? fits(std::int64_t{}) : fits(std::uint64_t{});
  }

  bool FitsDouble(std::size_t start) {
    const auto digits = text_.substr(start, at_ - start);
    double number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // Out of range is also said of numbers that are too small, which round to zero and pass.
    if (read.ec == std::errc::result_out_of_range &&
        std::isinf(std::strtod(std::string(digits).c_str(), nullptr))) {
      return Trouble(start, fmt::format("the number {}{} is larger than a double can hold",
                                        digits.substr(0, 32), digits.size() > 32 ? "…" : ""));
    }
    return true;
  }

  bool String() {
    const auto start = at_++;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!Escape()) return false;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        return Trouble(at_, fmt::format("control character 0x{:02X} inside a string", c),
                       "it must be escaped");
      } else {
        const auto character = DecodeUtf8(text_, at_);
        if (!character.valid()) {
          return Trouble(at_, fmt::format("{} is not valid UTF-8", Shown(c)));
        }
        at_ += character.length;
      }
    }
    return Trouble(start, "the string that starts here has no end", "the body may be cut off");
  }

  bool Escape() {
    const auto start = at_++;
    if (at_ >= text_.size()) return Unexpected("an escape");
    const char c = text_[at_++];
    if (c != 'u') {
      if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) return true;
      return Trouble(start, fmt::format("backslash before {} is no escape", Shown(c)));
    }
    const auto first = Hex4();
    if (!first) return Trouble(start, "\\u needs four hexadecimal digits");
    if (*first < 0xD800 || *first > 0xDFFF) return true;
    if (*first < 0xDC00 && Take('\\') && Take('u')) {
      const auto second = Hex4();
      if (second && *second >= 0xDC00 && *second <= 0xDFFF) return true;
    }
    return Trouble(start, fmt::format("\\u{:04x} is half of a surrogate pair", *first),
                   "the text was cut inside a character");
  }

  std::optional<unsigned> Hex4() {
    if (text_.size() - at_ < 4) return std::nullopt;
    unsigned value = 0;
    const char* begin = text_.data() + at_;
    const auto read = std::from_chars(begin, begin + 4, value, 16);
    if (read.ptr != begin + 4 || *begin == '-') return std::nullopt;
    at_ += 4;
    return value;
  }

  std::string_view text_;
  int depth_max_;
  std::size_t at_ = 0;
  std::vector<std::size_t> long_integers_;
  std::optional<JsonTrouble> trouble_;
};

// Deeper than any limit a page is parsed with, so that a record that is too deep is still cut out
// whole and fails alone.
constexpr std::size_t kCutDepthMax = 100'000;
constexpr std::size_t kPiecesMax = 1'000'000;

class Cutter {
 public:
  Cutter(std::string_view text, std::size_t offset) : text_(text), at_(offset) {}

  std::optional<JsonPieces> Run() {
    SkipBlanks();
    if (at_ >= text_.size() || (text_[at_] != '{' && text_[at_] != '[')) return std::nullopt;
    JsonPieces cut{.is_array = text_[at_] == '['};
    const char close = cut.is_array ? ']' : '}';
    ++at_;
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == close) return cut;
    while (true) {
      auto piece = Piece(cut.is_array);
      if (!piece || cut.pieces.size() >= kPiecesMax) return std::nullopt;
      cut.pieces.push_back(*std::move(piece));
      // Piece() stops at a comma or a closing bracket.
      if (text_[at_] == close) return cut;
      if (text_[at_] != ',') return std::nullopt;
      ++at_;
    }
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }

  std::optional<JsonPiece> Piece(bool in_array) {
    JsonPiece piece;
    SkipBlanks();
    if (!in_array) {
      const auto start = at_;
      if (at_ >= text_.size() || text_[at_] != '"' || !SkipString()) return std::nullopt;
      piece.name = Unescaped(text_.substr(start, at_ - start));
      SkipBlanks();
      if (at_ >= text_.size() || text_[at_] != ':') return std::nullopt;
      ++at_;
      SkipBlanks();
    }
    piece.begin = at_;
    if (!SkipToEndOfPiece()) return std::nullopt;
    piece.end = at_;
    while (piece.end > piece.begin && IsBlank(text_[piece.end - 1])) --piece.end;
    if (piece.end == piece.begin) return std::nullopt;  // nothing between two commas
    return piece;
  }

  bool SkipString() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    return false;
  }

  bool SkipToEndOfPiece() {
    std::string closing;  // the brackets that must close, innermost last
    while (at_ < text_.size()) {
      const char c = text_[at_];
      switch (c) {
        case '"':
          if (!SkipString()) return false;
          continue;
        case '{':
        case '[':
          if (closing.size() >= kCutDepthMax) return false;
          closing += c == '{' ? '}' : ']';
          break;
        case '}':
        case ']':
          if (closing.empty()) return true;
          if (closing.back() != c) return false;
          closing.pop_back();
          break;
        case ',':
          if (closing.empty()) return true;
          break;
        default:
          break;
      }
      ++at_;
    }
    return false;
  }

  // A name is almost always plain; the rest is left to the real parser, and one that it refuses
  // matches nothing.
  static std::optional<std::string> Unescaped(std::string_view quoted) {
    if (quoted.find('\\') == std::string_view::npos) {
      return std::string(quoted.substr(1, quoted.size() - 2));
    }
    const auto value = ParseJson(quoted);
    if (!value || value->AsString() == nullptr) return std::nullopt;
    return *value->AsString();
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

Error JsonTrouble::In(std::string_view text) const {
  return {code, code == ErrorCode::kLimit ? message : fmt::format("not valid JSON: {}", message),
          PlaceOfOffset(text, offset), hint};
}

JsonCheck CheckJson(std::string_view text, int depth_max) { return Checker(text, depth_max).Run(); }

std::optional<JsonPieces> CutJson(std::string_view text, std::size_t offset) {
  return Cutter(text, offset).Run();
}

}  // namespace patra
