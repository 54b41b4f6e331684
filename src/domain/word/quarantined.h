// What could not be taken in, as it stands in the isolation pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/time.h"
#include "domain/word/lane.h"
#include "domain/word/lineage.h"
#include "domain/word/record_counts.h"

namespace patra::domain {

enum class QuarantineStatus {
  kOpen,
  kApproved,  // taken in by a person's decision
  kRejected,  // kept for the record, with the reason
  kRetried,   // taken in by a later mapping, or fetched again
};
std::string_view Code(QuarantineStatus status);
std::optional<QuarantineStatus> QuarantineStatusOf(std::string_view code);

struct QuarantineEntry {
  Id id = 0;
  Lane lane;
  std::optional<std::string> item_id;
  std::string level;  // RECORD, or BATCH for a whole page
  std::string path;
  std::string rule;
  std::string reason;
  std::int64_t body_size = 0;
  std::string expr_hash;
  Lineage lineage;
  int batch_no = 0;
  int record_no = 0;
  QuarantineStatus status = QuarantineStatus::kOpen;
  std::optional<std::string> decided_by;
  std::optional<std::string> decided_reason;
  std::optional<Instant> decided_at;
  Instant created_at;
};

// Of the page that a record came in, what stands before and behind it, so many bytes at most.
struct Surroundings {
  std::string before;
  std::string behind;
  std::int64_t offset = 0;  // of the record
  std::int64_t page_bytes = 0;
};

struct QuarantinedBytes {
  QuarantineEntry entry;
  std::string bytes;
  Instant fetched_at;  // of the page that it came in
  std::optional<Surroundings> around{};
  std::string why_alone{};  // where there are none
};

// Empty texts stand for any.
struct QuarantineFilter {
  QuarantineStatus status = QuarantineStatus::kOpen;
  std::string provenance{};
  std::string endpoint{};
  std::string rule{};
  std::string path{};
  std::string item_id{};
  Id below_id = 0;  // where a list goes on, newest first; 0: at its beginning
};

// So many of one kind.
struct QuarantineKind {
  std::string provenance;
  std::string endpoint;
  std::string rule;
  std::string path;
  std::int64_t count = 0;
};

struct QuarantineDecided {
  bool is_new = true;                  // else it had been decided like this before
  std::optional<Overwrite> outcome{};  // of the record that was taken in
  bool is_signalled = false;           // UPDATE will fetch it
};

}  // namespace patra::domain
