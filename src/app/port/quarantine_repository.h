// The isolation pool: what could not be taken in, until somebody decides about it. Each record is decided
// once, by compare-and-set, and every decision is audited. The same decision twice has the effect of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/id.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/word/lane.h"
#include "domain/word/quarantined.h"
#include "domain/word/window.h"

namespace patra::app {

using domain::QuarantinedBytes;
using domain::QuarantineDecided;
using domain::QuarantineEntry;
using domain::QuarantineFilter;
using domain::QuarantineKind;
using domain::QuarantineStatus;
using domain::QuarantineStatusOf;

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
  // The page that the batch read, as it is in the raw vault; nothing where it is not kept.
  virtual Result<std::optional<std::string>> PageOf(Id batch) = 0;

  // Open rows that were met in slices of the query that overlap the window; those that slices of the plan met; those about
  // these ids. Counted up to a bound.
  virtual Result<std::int64_t> CountOpenIn(const domain::Lane& lane, const std::string& query_hash,
                                           const domain::Window& window) = 0;
  virtual Result<std::int64_t> CountOpenOf(const domain::Lane& lane, Id plan) = 0;
  virtual Result<std::int64_t> CountOpenAbout(const domain::Lane& lane,
                                              const std::vector<std::string>& ids) = 0;

  // Each of these fails with kNotFound for an unknown id, and with kConflict where it was decided otherwise.
  //
  // Takes the record in by the overwrite rule (I7). REQUIRES: status is kApproved or kRetried
  virtual Result<QuarantineDecided> TakeIn(Id id, const domain::Record& record,
                                           QuarantineStatus status, const Decision& decision) = 0;
  virtual Result<QuarantineDecided> Reject(Id id, const Decision& decision) = 0;
  // Leaves a signal, so that UPDATE fetches the item again, and takes it off the bad-id list.
  virtual Result<QuarantineDecided> FetchAgain(Id id, const std::string& item_id,
                                               const Decision& decision) = 0;

  // Takes an id off the list of those whose details cannot be had; false where it is not on it. Audited.
  virtual Result<bool> ReleaseId(const std::string& provenance, const std::string& endpoint,
                                 const std::string& item_id, const Decision& decision) = 0;
};

}  // namespace patra::app
