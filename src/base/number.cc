#include "base/number.h"

#include <cmath>
#include <utility>

namespace patra {
namespace {

std::partial_ordering Reversed(std::partial_ordering order) { return 0 <=> order; }

// An integer against a double without rounding the integer: beyond the integer's range the double
// decides alone; inside it, its whole part is an integer of that type and its fraction breaks the
// tie. `below` is the first power of two above the type's largest value.
template <typename Integer>
std::partial_ordering Compare(Integer integer, double number, double lowest, double below) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  if (number >= below) return std::partial_ordering::less;
  if (number < lowest) return std::partial_ordering::greater;
  const double whole = std::trunc(number);
  const auto as_integer = static_cast<Integer>(whole);
  if (integer != as_integer) return integer <=> as_integer;
  return 0.0 <=> number - whole;
}

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

std::partial_ordering Order(std::int64_t a, std::int64_t b) { return a <=> b; }
std::partial_ordering Order(std::uint64_t a, std::uint64_t b) { return a <=> b; }
std::partial_ordering Order(double a, double b) { return a <=> b; }
std::partial_ordering Order(std::int64_t a, std::uint64_t b) {
  if (std::cmp_less(a, b)) return std::partial_ordering::less;
  return std::cmp_equal(a, b) ? std::partial_ordering::equivalent : std::partial_ordering::greater;
}
std::partial_ordering Order(std::uint64_t a, std::int64_t b) { return Reversed(Order(b, a)); }
std::partial_ordering Order(std::int64_t a, double b) { return Compare(a, b, -kTwoTo63, kTwoTo63); }
std::partial_ordering Order(double a, std::int64_t b) { return Reversed(Order(b, a)); }
std::partial_ordering Order(std::uint64_t a, double b) { return Compare(a, b, 0, kTwoTo64); }
std::partial_ordering Order(double a, std::uint64_t b) { return Reversed(Order(b, a)); }

}  // namespace

double Number::AsDouble() const {
  return std::visit([](auto value) { return static_cast<double>(value); }, content_);
}

std::optional<std::int64_t> Number::AsInteger() const {
  if (const auto* integer = std::get_if<std::int64_t>(&content_)) return *integer;
  if (const auto* natural = std::get_if<std::uint64_t>(&content_)) {
    if (!std::in_range<std::int64_t>(*natural)) return std::nullopt;
    return static_cast<std::int64_t>(*natural);
  }
  const double number = std::get<double>(content_);
  if (!(number >= -kTwoTo63 && number < kTwoTo63) || number != std::trunc(number)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

std::partial_ordering operator<=>(Number a, Number b) {
  return std::visit([](auto x, auto y) { return Order(x, y); }, a.content_, b.content_);
}

}  // namespace patra
