// Faults on demand: what goes wrong, where, and when.
//
// A scenario is {"seed": 7, "faults": [{"kind": "too_many_requests", "source": "crossref",
// "probability": 0.1, "retry_after": "2s"}, …]}. Whether a fault strikes depends on the seed and on
// the number of the request among those that the fault looks at, never on time that passes by
// chance, so a sequential client sees the same faults in every run.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::sim {

enum class FaultKind {
  kLatency,
  kTooManyRequests,
  kServerError,
  kResetBeforeHead,
  kResetMidBody,
  kTruncated,
  kTruncatedSilently,
  kWrongLength,
  kSlowDrip,
  kErrorBody,
  kHtml,
  kWrongCharset,
  kInvalidUtf8,
  kHugeInteger,
  kGzipBomb,
  kDeepJson,
  kEntityBomb,
  kRepeatedPage,
  kRepeatedToken,
  kDeadToken,
  kMissingNext,
  kEmptyPage,
  kMovingTotal,
  kMissingTotal,
  kEmptyError,
  kIgnoredFilter,
  kDrift,
  kShrink,
  kSwappedPages,
  kShuffledItems,
  kDuplicateItems,
  kMissingId,
  kUnparsableDate,
  kFutureDate,
  kMissingField,
  kTypeChange,
  kSchemaChange,
  kAuthExpired,
  kRedirectLoop,
  kForeignRedirect,
  kForeignNext,
  kHugeHeaders,
  kClockSkew,
};

struct FaultKindInfo {
  FaultKind kind;
  std::string_view name;  // in scenarios
  std::string_view what;  // for people
};
std::span<const FaultKindInfo> AllFaultKinds();

struct FaultSpec {
  FaultKind kind = FaultKind::kLatency;

  // Where. Empty: everywhere.
  std::string source;  // the provider's name
  std::string path;    // part of the request's target

  // When. Without any of these: always.
  std::optional<double> probability;
  std::vector<std::int64_t> positions;  // numbers of the matching requests, from 1
  std::int64_t every = 0;               // every so many matching requests
  std::optional<Duration> from;         // server time since the start
  std::optional<Duration> to;
  std::int64_t times = 0;  // at most so often; 0 = no end

  // How.
  int status = 0;           // of kServerError; 0 = 503
  std::string retry_after;  // "none", "date" or seconds; empty = the kind's default
  Duration delay = std::chrono::milliseconds(100);
  Duration delay_max{};                            // > delay: see `distribution`
  std::string distribution = "fixed";              // "fixed", "uniform", "exponential"
  std::int64_t amount = 0;                         // how many, how much; 0 = the kind's default
  std::string origin = "http://attacker.invalid";  // of foreign redirects and next URLs
  std::string charset;                             // declared by kWrongCharset
};

// A fault that strikes one request.
struct Strike {
  FaultSpec spec;
  std::uint64_t seed = 0;  // for what the fault decides by chance
};

// Thread-safe.
class FaultPlan {
 public:
  // Replaces everything; null removes everything.
  Result<void> Load(const Value& scenario);
  Value Describe() const;  // what is loaded, with how often each matched and struck

  std::vector<Strike> StrikesOn(std::string_view source, std::string_view target, Duration now);

 private:
  struct Armed {
    FaultSpec spec;
    Value written;  // as it came
    std::int64_t matched = 0;
    std::int64_t struck = 0;
  };
  bool Decide(const Armed& armed, std::size_t index) const;

  mutable std::mutex mutex_;
  std::uint64_t seed_ = 1;
  std::vector<Armed> armed_;
};

Result<FaultSpec> ParseFault(const Value& value);

// "server_error,probability=0.1,status=502,positions=3 7" as the command line has it.
Result<Value> ParseFaultText(std::string_view text);

}  // namespace patra::sim
