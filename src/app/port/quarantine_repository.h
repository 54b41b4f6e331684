// The isolation pool: what could not be taken in, until somebody decides about it. Each record is decided
// once, by compare-and-set, and every decision is audited. The same decision twice has the effect of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/hold_repository.h"
#include "base/id.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/plan/plan.h"
#include "domain/task/lineage.h"

namespace patra::app {

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
  domain::Partition partition;
  std::optional<std::string> item_id;
  std::string level;  // RECORD, or BATCH for a whole page
  std::string path;
  std::string rule;
  std::string reason;
  std::int64_t body_size = 0;
  std::string expr_hash;
  domain::Lineage lineage;
  int batch_no = 0;
  int record_no = 0;
  QuarantineStatus status = QuarantineStatus::kOpen;
  std::optional<std::string> decided_by;
  std::optional<std::string> decided_reason;
  std::optional<Instant> decided_at;
  Instant created_at;
};

struct QuarantinedBytes {
  QuarantineEntry entry;
  std::string bytes;
  Instant fetched_at;  // of the page that it came in
};

// Empty texts stand for any.
struct QuarantineFilter {
  QuarantineStatus status = QuarantineStatus::kOpen;
  std::string provenance{};
  std::string endpoint{};
  std::string rule{};
  std::string path{};
  std::string item_id{};
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
  bool is_new = true;                          // else it had been decided like this before
  std::optional<domain::Overwrite> outcome{};  // of the record that was taken in
  bool is_signalled = false;                   // UPDATE will fetch it
};

class QuarantineRepository {
 public:
  virtual ~QuarantineRepository() = default;

  // Newest first; `before` is the last id of the page before, 0 for the first.
  virtual Result<std::vector<QuarantineEntry>> List(const QuarantineFilter& filter, Id before,
                                                    int entries_max) = 0;

  // By source, endpoint, rule and path; at most `kinds_max`.
  virtual Result<std::vector<QuarantineKind>> CountKinds(QuarantineStatus status,
                                                         int kinds_max) = 0;

  virtual Result<std::optional<QuarantinedBytes>> Find(Id id) = 0;

  // Each of these fails with kNotFound for an unknown id, and with kConflict where it was decided otherwise.
  //
  // Takes the record in by the overwrite rule (I7). REQUIRES: status is kApproved or kRetried
  virtual Result<QuarantineDecided> TakeIn(Id id, const domain::Record& record,
                                           QuarantineStatus status, const Decision& decision) = 0;
  virtual Result<QuarantineDecided> Reject(Id id, const Decision& decision) = 0;
  // Leaves a signal, so that UPDATE fetches the item again, and takes it off the bad-id list.
  virtual Result<QuarantineDecided> FetchAgain(Id id, const std::string& item_id,
                                               const Decision& decision) = 0;
};

}  // namespace patra::app
