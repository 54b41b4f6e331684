// Proves, or disproves, that everything a source has in a range of time is in the store.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "contract/certificate.h"

namespace patra::app {

struct VerifyCommand {
  std::string source;
  std::string endpoint;         // empty: all of the source
  std::optional<Instant> from;  // default: where the definition begins, or the first planned moment
  std::optional<Instant> to;    // default: the last one
  int days_max = 0;             // of the range, that are told one by one
};

class VerifyCompleteness {
 public:
  VerifyCompleteness(contract::CompletenessQueries& queries, const Clock& clock)
      : queries_(queries), clock_(clock) {}

  // One certificate per endpoint and query. kNotFound where the store knows nothing of the source.
  Result<std::vector<contract::Certificate>> Run(const VerifyCommand& command);

  // The same day by day, so many days of each at most, from `first` on or from where the earliest begins. Only these are read.
  struct DaysPage {
    std::vector<contract::DaysOfProof> days;
    std::optional<Instant> next;  // the first day of the next page
  };
  Result<DaysPage> Days(const VerifyCommand& command, const std::optional<Instant>& first,
                        int days_max);

 private:
  struct Asked {
    contract::CompletenessQueries::Known query;
    contract::Stretch range;
  };

  using OnSlice = std::function<void(const contract::SliceRow&, const contract::TotalPromise&)>;

  Result<std::vector<Asked>> WhatIsAsked(const VerifyCommand& command);
  // Whoever wants to see each slice does.
  Result<contract::Certificate> Certify(const Asked& asked, const OnSlice& on_slice = {});

  // The keys in which what the plan asked for differs from what the definition in force asks for.
  Result<std::vector<std::string>> DifferencesOf(Id plan, const std::string& asked) const;

  Result<void> ForEachSlice(const contract::CoverageKey& key, const contract::Stretch& range,
                            const OnSlice& on_slice);

  contract::CompletenessQueries& queries_;
  const Clock& clock_;
};

}  // namespace patra::app
