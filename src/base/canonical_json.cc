#include "base/canonical_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace patra {
namespace {

// Whether `a` comes before `b` by UTF-16 code units, without converting either. UTF-8 and UTF-16
// order code points alike except that U+E000…U+FFFF sort after the surrogates of U+10000 and above.
// In UTF-8 the former begin with EE or EF, the latter with F0…F4: ranking EE and EF last is all it
// takes.
bool BeforeInUtf16(std::string_view a, std::string_view b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : int{byte};
  };
  return rank(*x) < rank(*y);
}

// Integers that no double holds: as the nearest double, as RFC 8785 wants it, or with the digits that were sent.
enum class LargeIntegers { kAsDoubles, kKept };

void Append(const Value& value, LargeIntegers large, std::string& out) {
  if (const auto* items = value.AsArray()) {
    out += '[';
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (i > 0) out += ',';
      Append((*items)[i], large, out);
    }
    out += ']';
  } else if (const auto* members = value.AsObject()) {
    std::vector<const Value::Object::value_type*> sorted;
    sorted.reserve(members->size());
    for (const auto& member : *members) sorted.push_back(&member);
    std::ranges::sort(
        sorted, [](const auto* a, const auto* b) { return BeforeInUtf16(a->first, b->first); });
    out += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0) out += ',';
      AppendJsonString(sorted[i]->first, out);
      out += ':';
      Append(sorted[i]->second, large, out);
    }
    out += '}';
  } else if (const auto* text = value.AsString()) {
    AppendJsonString(*text, out);
  } else if (const auto* integer = value.AsInteger()) {
    constexpr std::int64_t kExactInDoubles = std::int64_t{1} << 53;
    const bool is_large = *integer > kExactInDoubles || *integer < -kExactInDoubles;
    if (is_large && large == LargeIntegers::kKept) {
      out += fmt::format_int(*integer).str();
    } else {
      AppendJsonNumber(static_cast<double>(*integer), out);
    }
  } else if (const auto* number = value.AsDouble()) {
    AppendJsonNumber(*number, out);
  } else if (const auto* flag = value.AsBool()) {
    out += *flag ? "true" : "false";
  } else {
    out += "null";
  }
}

}  // namespace

std::string CanonicalJson(const Value& value) {
  std::string out;
  Append(value, LargeIntegers::kKept, out);
  return out;
}

Result<std::string> CanonicalizeJson(std::string_view text, JsonLimits limits) {
  const auto value = PATRA_TRY(ParseJson(text, limits));
  std::string out;
  Append(value, LargeIntegers::kAsDoubles, out);
  return out;
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void AppendJsonNumber(double number, std::string& out) {
  PATRA_ASSERT(std::isfinite(number));
  if (number == 0) {  // negative zero prints as zero
    out += '0';
    return;
  }
  if (number < 0) {
    out += '-';
    number = -number;
  }

  // The shortest digits that read back as the same double, as d.ddde±xx.
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits += text.substr(2, e - 2);
  int exponent = 0;
  const auto exponent_text = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);

  // ECMAScript's rules, with k digits and the decimal point after the n-th.
  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;
  if (k <= n && n <= 21) {
    out += digits;
    out.append(static_cast<std::size_t>(n - k), '0');
  } else if (0 < n && n <= 21) {
    out += digits.substr(0, static_cast<std::size_t>(n));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(n));
  } else if (-6 < n && n <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-n), '0');
    out += digits;
  } else {
    out += digits[0];
    if (k > 1) {
      out += '.';
      out += digits.substr(1);
    }
    out += fmt::format("e{}{}", n - 1 < 0 ? '-' : '+', std::abs(n - 1));
  }
}

}  // namespace patra
