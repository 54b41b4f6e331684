// Proves, or disproves, that everything a source has in a range of time is in the store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/certificate.h"

namespace patra::app {

struct VerifyRequest {
  std::string target{};               // SOURCE or SOURCE/ENDPOINT
  std::optional<std::string> from{};  // a moment; default: the first one that was ever planned
  std::optional<std::string> to{};    // default: the last one
  int days_max = 0;                   // of the range, that are told one by one
};

struct ProofByDay {
  std::vector<contract::DaysOfProof> days;
  std::optional<Instant> next{};  // the first day of the next page
};

class Verification {
 public:
  virtual ~Verification() = default;

  // One certificate per endpoint and query. kNotFound where the store knows nothing of the source.
  virtual Result<std::vector<contract::Certificate>> Certify(const VerifyRequest& request) = 0;

  // The same day by day, from `first` on, at most so many days.
  virtual Result<ProofByDay> Days(const VerifyRequest& request, const std::optional<Instant>& first,
                                  int days_max) = 0;
};

}  // namespace patra::app
