#include "domain/word/quarantined.h"

#include <array>
#include <utility>

namespace patra::domain {
namespace {

using enum QuarantineStatus;
constexpr auto kCodes = std::to_array<std::pair<QuarantineStatus, std::string_view>>(
    {{kOpen, "OPEN"}, {kApproved, "APPROVED"}, {kRejected, "REJECTED"}, {kRetried, "RETRIED"}});

}  // namespace

std::string_view Code(QuarantineStatus status) {
  for (const auto& [known, code] : kCodes) {
    if (known == status) return code;
  }
  return "";
}

std::optional<QuarantineStatus> QuarantineStatusOf(std::string_view code) {
  for (const auto& [status, known] : kCodes) {
    if (known == code) return status;
  }
  return std::nullopt;
}

}  // namespace patra::domain
