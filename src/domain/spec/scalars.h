// The notations that values of a definition have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// 3/s, 500/m, 8000/d, 1/3s
Result<RateSpec> ParseRate(std::string_view text);

// 404, 5xx, 500-504
Result<StatusRange> ParseStatus(std::string_view text);

// 1d, 1m..1d (at least, at most), 1m..6h..1d (at least, at first, at most)
struct Widths {
  std::optional<Duration> least{};
  Duration first{};
  std::optional<Duration> most{};
};
Result<Widths> ParseWidths(std::string_view text);

// ${env:NAME} or ${file:PATH}; without the braces, "env:NAME".
Result<std::string> ParseReference(std::string_view text);

// 5% or 0.05
Result<double> ParsePart(std::string_view text);

// What sources and endpoints may be called: commands and addresses have to be able to say it.
Result<void> CheckName(std::string_view text);

Result<std::int64_t> ParseWholeNumber(std::string_view text);
Result<double> ParseNumber(std::string_view text);

}  // namespace patra::domain
