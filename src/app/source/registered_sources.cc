#include "app/source/registered_sources.h"

#include <algorithm>
#include <utility>

namespace patra::app {

Result<SharedDefinition> RegisteredSources::Find(const std::string& source, Instant at) {
  auto kept = Look(source, at);
  auto read = PATRA_TRY(registry_.Find(source, at, kept.version));
  if (!read) return std::move(kept.definition);
  Kept fresh{.version = std::move(read->version), .from = at, .until = at + kKeptMax};
  if (read->until) fresh.until = std::min(fresh.until, *read->until);
  if (read->definition)
    fresh.definition = std::make_shared<const domain::DefinitionNode>(*std::move(read->definition));
  const std::lock_guard lock(mutex_);
  if (by_source_.size() >= sources_max_ && !by_source_.contains(source)) {
    by_source_.erase(std::ranges::min_element(by_source_, {},
                                              [](const auto& item) { return item.second.from; }));
  }
  return by_source_.insert_or_assign(source, std::move(fresh)).first->second.definition;
}

Result<SharedCodes> RegisteredSources::Codes(Instant at) {
  {
    const std::lock_guard lock(mutex_);
    if (codes_ && codes_from_ <= at && at < codes_from_ + kKeptMax) return codes_;
  }
  auto codes = std::make_shared<const domain::CodeDictionary>(PATRA_TRY(registry_.Codes()));
  const std::lock_guard lock(mutex_);
  codes_ = std::move(codes);
  codes_from_ = at;
  return codes_;
}

// Without a version where it has to be read.
RegisteredSources::Kept RegisteredSources::Look(const std::string& source, Instant at) {
  const std::lock_guard lock(mutex_);
  const auto found = by_source_.find(source);
  if (found == by_source_.end()) return {};
  const auto& kept = found->second;
  return kept.from <= at && at < kept.until ? kept : Kept();
}

}  // namespace patra::app
