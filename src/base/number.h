// A JSON number without loss: 64-bit integers stay what they are, everything else is a double.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <variant>

namespace patra {

class Number {
 public:
  explicit Number(std::int64_t value) : content_(value) {}
  explicit Number(std::uint64_t value) : content_(value) {}
  explicit Number(double value) : content_(value) {}

  // Whether it was written as an integer.
  bool is_integer() const { return !std::holds_alternative<double>(content_); }

  // Rounded to the nearest double.
  double AsDouble() const;

  // The value if it is a whole number that fits, however it was written: 3.0 is 3.
  std::optional<std::int64_t> AsInteger() const;

  // By value and exactly: 2^53 + 1 is not the double 2^53. NaN compares with nothing.
  friend std::partial_ordering operator<=>(Number a, Number b);
  friend bool operator==(Number a, Number b) { return (a <=> b) == 0; }

 private:
  std::variant<std::int64_t, std::uint64_t, double> content_;
};

}  // namespace patra
