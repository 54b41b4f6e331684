// The sources that this process works with, each compiled once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "domain/source/compiled_source.h"

namespace patra::app {

// Shared by all workers that run tasks of the source, and by the store of compiled ones; nobody locks to use it.
using SharedSource = std::shared_ptr<const domain::CompiledSource>;

// Thread-safe. Holds a lock while it looks one up, not while one is compiled or used.
class CompiledSources {
 public:
  // A process rarely works with more at a time; each plan's query makes another snapshot.
  static constexpr std::size_t kSourcesMax = 128;

  explicit CompiledSources(std::size_t sources_max = kSourcesMax) : sources_max_(sources_max) {}

  // Of a snapshot as plans keep it. An error where it cannot be read or compiled.
  Result<SharedSource> Of(const std::string& snapshot);
  Result<SharedSource> Of(const domain::SpecSnapshot& spec);

  std::size_t size() const;

 private:
  struct Entry {
    SharedSource source;
    std::uint64_t last_use = 0;
  };

  SharedSource Find(const std::string& hash);
  Result<SharedSource> Compile(const std::string& hash, domain::SpecSnapshot spec);
  SharedSource Keep(const std::string& hash, SharedSource source);

  const std::size_t sources_max_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Entry> by_hash_;
  std::uint64_t uses_ = 0;
};

}  // namespace patra::app
