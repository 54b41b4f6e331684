#include "app/execute/compiled_sources.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/value.h"

namespace patra::app {

Result<SharedSource> CompiledSources::Of(const std::string& snapshot) {
  const auto hash = Sha256Hex(snapshot);
  if (auto found = Find(hash)) return found;
  const auto value = PATRA_TRY(ParseJson(snapshot));
  return Compile(hash, PATRA_TRY(domain::SpecSnapshot::FromValue(value)));
}

Result<SharedSource> CompiledSources::Of(const domain::SpecSnapshot& spec) {
  const auto hash = domain::SpecFingerprint(spec);
  if (auto found = Find(hash)) return found;
  return Compile(hash, spec);
}

std::size_t CompiledSources::size() const {
  const std::lock_guard lock(mutex_);
  return by_hash_.size();
}

SharedSource CompiledSources::Find(const std::string& hash) {
  const std::lock_guard lock(mutex_);
  const auto found = by_hash_.find(hash);
  if (found == by_hash_.end()) return nullptr;
  found->second.last_use = ++uses_;
  return found->second.source;
}

Result<SharedSource> CompiledSources::Compile(const std::string& hash, domain::SpecSnapshot spec) {
  auto compiled = domain::CompiledSource::Compile(std::move(spec));
  if (!compiled)
    return std::unexpected(std::move(compiled).error().While("compiling the snapshot"));
  return Keep(hash, std::make_shared<const domain::CompiledSource>(*std::move(compiled)));
}

// Several may have compiled it at the same time: all go on with what the first of them kept.
SharedSource CompiledSources::Keep(const std::string& hash, SharedSource source) {
  const std::lock_guard lock(mutex_);
  auto& entry = by_hash_[hash];
  if (!entry.source) entry.source = std::move(source);
  entry.last_use = ++uses_;
  auto kept = entry.source;
  if (by_hash_.size() > sources_max_) {
    by_hash_.erase(std::ranges::min_element(by_hash_, {},
                                            [](const auto& item) { return item.second.last_use; }));
  }
  return kept;
}

}  // namespace patra::app
