// A provider that answers in another shape makes every record bad. That is one piece of news and not hundreds of
// quarantined records: the page is recognised as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/heal/heal_policy.h"
#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct ChangedResponse {
  std::vector<std::string> vanished;  // paths that lead nowhere, or to what they cannot mean
  std::string why;                    // of the first one, where one path is meant
  std::vector<std::string> names;     // what a record has instead, at its top
  std::int64_t failing = 0;
  std::int64_t records = 0;

  std::string Describe() const;
};

// What a page is read by.
struct RecordPaths {
  const ResponseSpec& response;
  const std::vector<FieldSpec>& fields;
};

std::optional<ChangedResponse> FindChange(const RecordPaths& paths, std::int64_t good_records,
                                          std::span<const BadRecord> bad_records,
                                          const ChangePolicy& policy);

}  // namespace patra::domain
