#include "app/execute/page_ids.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"

namespace patra::app {

std::vector<std::string> IdsOf(const domain::PageContent& page) {
  std::vector<std::string> ids = page.ids;
  ids.reserve(page.size());
  for (const auto& record : page.records) ids.push_back(record.id);
  std::size_t nulls = 0;
  for (const auto& bad : page.bad_records) {
    // A null or an empty text is no record that came before: nothing tells it from another of its page.
    if (!bad.id && bad.bytes.empty() && !bad.is_page) {
      const auto page_of_it = ids.empty() ? std::string() : ids.front();
      ids.push_back(Sha256Hex(fmt::format("null {} of {}", nulls++, page_of_it)));
      continue;
    }
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
