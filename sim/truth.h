// The ground truth: what a correct harvest must hold.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace patra::sim {

struct TruthEntry {
  std::string id;
  int version = 1;
  Instant updated;
  std::string hash;  // SHA-256 of the canonical JSON of the mapped fields; empty for deleted items
  bool deleted = false;
  // Deleted in a way no harvest can see: a store may hold it or not.
  bool silent = false;
};

class TruthWalk {
 public:
  virtual ~TruthWalk() = default;
  virtual std::optional<TruthEntry> Next() = 0;
};

// {"id":"…","version":2,"updatedAt":"…","hash":"…"} and a line feed.
void AppendTruthLine(const TruthEntry& entry, std::string& out);

}  // namespace patra::sim
