// Applying a changed definition to the pages that were kept, without asking the provider for anything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/word/actor.h"

namespace patra::app {

struct RemapRequest {
  std::string target;  // SOURCE/ENDPOINT, or SOURCE where it has one endpoint
  std::optional<std::string>
      since{};  // pages that were fetched since then, such as 2026-01-31 or -7d
  bool dry_run = false;
  std::string reason{};
};

// What becomes of one field.
struct FieldChange {
  struct Sample {
    std::string id;
    std::string before;  // JSON; empty where there was no such field
    std::string after;
  };
  std::int64_t records = 0;
  std::vector<Sample> samples{};  // the first
};

// What would change. A record counts once for each page that decides about it.
struct RemapLook {
  std::int64_t pages = 0;
  bool is_whole = false;        // all pages were looked at
  std::int64_t pages_lost = 0;  // that the vault does not have, or that cannot be read
  std::string why_lost{};       // of the first that is there and cannot be read
  std::int64_t same = 0;        // records
  std::int64_t changed = 0;     // records
  std::int64_t left_alone = 0;  // records that another page decides about
  std::int64_t bad = 0;  // records that the definition makes nothing of: they stay as they are
  std::vector<std::string> first_bad{};
  std::int64_t fresh = 0;  // records that nothing is stored of
  std::vector<std::string> first_fresh{};
  std::vector<std::pair<std::string, FieldChange>> fields{};  // by name
};

struct RemapReport {
  std::string source{};
  std::string endpoint{};
  bool dry_run = false;
  bool is_taken_up = false;  // an earlier one was interrupted: the sums have what that one did
  std::int64_t generation = 0;
  RemapLook look{};
  std::int64_t pages = 0;
  std::int64_t pages_lost = 0;
  std::string why_lost{};
  std::int64_t records = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t left_alone = 0;
  std::int64_t bad = 0;
  std::int64_t isolated = 0;  // of these, new in quarantine
};

Value ToValue(const RemapReport& report);

struct RemapProgress {
  std::int64_t pages = 0;
  std::int64_t records = 0;
};

class Remapping {
 public:
  // A look at some pages comes first, and is told before anything is written.
  using OnLook = std::function<void(const RemapReport&)>;
  using OnProgress = std::function<void(const RemapProgress&)>;

  virtual ~Remapping() = default;

  virtual Result<RemapReport> Run(const RemapRequest& request, const domain::Actor& actor,
                                  const OnLook& on_look, const OnProgress& on_progress) = 0;
};

}  // namespace patra::app
