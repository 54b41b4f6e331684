// Where spans go: what was done from when to when, as a tree for each run of an executor and each trigger of a planner.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"

namespace patra::app {

struct Span {
  enum class Kind { kInternal, kClient };

  std::string trace;     // 32 hex digits
  std::string id;        // 16
  std::string parent{};  // 16; empty: the root of its trace
  std::string name;
  Kind kind = Kind::kInternal;
  Instant from;
  Instant to;
  bool is_failure = false;
  std::vector<std::pair<std::string, std::string>> attributes{};
};

// Thread-safe. Never fails, and never makes anybody wait.
class SpanSink {
 public:
  virtual ~SpanSink() = default;

  virtual void Take(Span span) = 0;
};

}  // namespace patra::app
