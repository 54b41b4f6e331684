#include "domain/plan/id_batches.h"

#include <algorithm>

namespace patra::domain {

std::int64_t IdsOfNextRequest(const DetailSpec& details, std::int64_t open) {
  const auto most = std::min(open, std::max<std::int64_t>(details.id_batch_size, 1));
  return most < details.threshold.value_or(1) ? std::min<std::int64_t>(open, 1) : most;
}

std::int64_t RequestsForIds(const DetailSpec& details, std::int64_t ids) {
  const auto batch = std::max<std::int64_t>(details.id_batch_size, 1);
  const auto rest = ids % batch;
  const auto of_rest = rest < details.threshold.value_or(1) ? rest : 1;
  return ids / batch + (rest == 0 ? 0 : of_rest);
}

std::vector<std::vector<std::string>> JoinIds(const DetailSpec& details,
                                              const std::vector<std::string>& ids) {
  std::vector<std::vector<std::string>> requests;
  for (auto first = ids.begin(); first != ids.end();) {
    const auto end = first + IdsOfNextRequest(details, ids.end() - first);
    requests.emplace_back(first, end);
    first = end;
  }
  return requests;
}

bool AreWorthARequest(const DetailSpec& details, std::int64_t lacked) {
  return lacked >= details.combine_threshold.value_or(1);
}

}  // namespace patra::domain
