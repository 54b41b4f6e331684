// Trouble that people should know of. The same trouble is one alert, however often it is seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

enum class Severity { kInfo, kWarn, kCritical };
std::string_view Code(Severity severity);  // "WARN"
Result<Severity> SeverityFromCode(std::string_view code);

struct Alert {
  Id id = 0;
  std::string key;  // names the trouble, such as "credential/crossref/main"
  Severity severity = Severity::kWarn;
  std::optional<std::string> provenance{};
  std::optional<std::string> endpoint{};
  std::string message;
  std::string details = "{}";  // JSON
  Instant first_seen_at{};
  Instant last_seen_at{};
  std::optional<Instant> resolved_at{};
  std::int64_t times_seen = 1;
};

struct Silence {
  Id id = 0;
  std::string pattern;  // an alert's key, or the beginning of keys and a final '*'
  std::string reason;
  std::string created_by;
  Instant created_at{};
  Instant until{};

  bool Covers(const Alert& alert) const;
};

}  // namespace patra::domain
