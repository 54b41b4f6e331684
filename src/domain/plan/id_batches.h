// How ids of the second phase are joined into requests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// How many of so many open ids the next request asks for: a batch, or one where there are fewer than are worth joining.
std::int64_t IdsOfNextRequest(const DetailSpec& details, std::int64_t open);

// How many requests so many ids take.
std::int64_t RequestsForIds(const DetailSpec& details, std::int64_t ids);

// The ids in their order, request by request.
std::vector<std::vector<std::string>> JoinIds(const DetailSpec& details,
                                              const std::vector<std::string>& ids);

// Whether so many ids that answers lacked are worth a request of their own while others are open.
bool AreWorthARequest(const DetailSpec& details, std::int64_t lacked);

}  // namespace patra::domain
