#include "app/execute/page_ids.h"

#include "base/hash.h"
#include "base/random.h"

namespace patra::app {

std::vector<std::string> IdsOf(const domain::PageContent& page) {
  std::vector<std::string> ids = page.ids;
  ids.reserve(page.size());
  for (const auto& record : page.records) ids.push_back(record.id);
  for (const auto& bad : page.bad_records) {
    // Two records that cannot be had may have the same error for an answer.
    const auto place = bad.is_page ? bad.path + "\n" : std::string();
    ids.push_back(bad.id.value_or(Sha256Hex(place + bad.bytes)));
  }
  return ids;
}

domain::PageIds HashesOf(const std::vector<std::string>& ids) {
  domain::PageIds hashes;
  hashes.reserve(ids.size());
  for (const auto& id : ids) hashes.push_back(HashText(id));
  return hashes;
}

}  // namespace patra::app
