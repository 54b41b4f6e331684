#include "domain/spec/scalars.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {
namespace {

template <typename Number>
std::optional<Number> Whole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::unexpected<Error> Refuse(std::string_view text, std::string_view wanted) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is not {}", text, wanted));
}

}  // namespace

Result<void> CheckName(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (!text.empty() && text.size() <= 64 && std::ranges::all_of(text, fits)) return {};
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is not a name", text), {},
              "lower-case letters, digits, '-' and '_', at most 64");
}

Result<std::int64_t> ParseWholeNumber(std::string_view text) {
  if (const auto number = Whole<std::int64_t>(text)) return *number;
  return Refuse(text, "an integer");
}

Result<double> ParseNumber(std::string_view text) {
  if (const auto number = Whole<double>(text)) return *number;
  return Refuse(text, "a number");
}

Result<RateSpec> ParseRate(std::string_view text) {
  constexpr std::string_view kWanted = "a rate such as 3/s, 500/m or 1/3s";
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return Refuse(text, kWanted);
  const auto requests = Whole<int>(text.substr(0, slash));
  std::string per(text.substr(slash + 1));
  if (!per.empty() && (per.front() < '0' || per.front() > '9')) per.insert(0, "1");
  const auto length = ParseDuration(per);
  if (!requests || *requests < 1 || !length || *length <= Duration(0)) return Refuse(text, kWanted);
  return RateSpec{*requests, *length};
}

Result<StatusRange> ParseStatus(std::string_view text) {
  constexpr std::string_view kWanted = "a status such as 404, 5xx or 500-504";
  if (text.size() == 3 && text.ends_with("xx") && text.front() >= '1' && text.front() <= '5') {
    const std::int64_t hundred = text.front() - '0';
    return StatusRange{hundred * 100, hundred * 100 + 99};
  }
  const auto dash = text.find('-');
  const auto from = Whole<std::int64_t>(text.substr(0, dash));
  const auto to =
      dash == std::string_view::npos ? from : Whole<std::int64_t>(text.substr(dash + 1));
  if (!from || !to || *from < 100 || *to > 599 || *from > *to) return Refuse(text, kWanted);
  return StatusRange{*from, *to};
}

Result<Widths> ParseWidths(std::string_view text) {
  std::vector<Duration> parts;
  while (true) {
    const auto dots = text.find("..");
    parts.push_back(PATRA_TRY(ParseDuration(text.substr(0, dots))));
    if (dots == std::string_view::npos) break;
    text.remove_prefix(dots + 2);
  }
  if (parts.size() == 1) return Widths{.first = parts[0]};
  if (parts.size() == 2) return Widths{parts[0], parts[1], parts[1]};
  if (parts.size() == 3) return Widths{parts[0], parts[1], parts[2]};
  return Refuse(text, "a width such as 1d or 1m..1d");
}

Result<std::string> ParseReference(std::string_view text) {
  const bool is_reference = text.starts_with("${") && text.ends_with("}");
  const auto inner = is_reference ? text.substr(2, text.size() - 3) : std::string_view();
  for (const std::string_view scheme : {"env:", "file:"}) {
    if (inner.starts_with(scheme) && inner.size() > scheme.size()) return std::string(inner);
  }
  // The text may be a secret: it is not repeated.
  return Fail(ErrorCode::kInvalidInput, "a secret may not stand in a definition", {},
              "write ${env:NAME} or ${file:PATH}");
}

Result<double> ParsePart(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const auto number = Whole<double>(is_percent ? text.substr(0, text.size() - 1) : text);
  const double part = number.value_or(-1) / (is_percent ? 100 : 1);
  if (part < 0 || part > 1) return Refuse(text, "a part such as 5% or 0.05");
  return part;
}

}  // namespace patra::domain
