// What can be asked about records that could not be taken in, and decided about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/actor.h"
#include "domain/word/quarantined.h"

namespace patra::app {

struct QuarantineRequest {
  enum class Kind { kApprove, kReject, kRetry };

  Kind kind = Kind::kReject;
  std::vector<Id> ids{};
  // Instead of ids: the newest that match, at most so many.
  bool all = false;
  domain::QuarantineFilter filter{};
  int records_max = 1'000;
  std::optional<std::string> item_id{};
  std::optional<std::string> fields{};  // JSON
  std::string reason{};
};

// What a decision about one record came to.
struct QuarantineReport {
  Id id = 0;
  domain::QuarantineDecided decided{};
  std::optional<Error> problem{};
};

struct IdReleaseRequest {
  std::string target{};            // SOURCE/ENDPOINT, where ids are named; else SOURCE, too
  std::vector<std::string> ids{};  // as the provider names them
  // Instead of ids: the newest that match, at most so many.
  bool all = false;
  std::string listed_for{};                    // what their reason says somewhere
  std::optional<std::string> listed_before{};  // a moment
  int ids_max = 1'000;
  std::string reason{};
};

struct IdReleaseReport {
  std::vector<domain::BadIdEntry> released{};
  std::vector<std::string> not_listed{};
};

class Quarantine {
 public:
  virtual ~Quarantine() = default;

  virtual Result<std::vector<domain::QuarantineEntry>> List(const domain::QuarantineFilter& filter,
                                                            int entries_max) = 0;
  // How many of each kind have the status and the place that `filter` names.
  virtual Result<std::vector<domain::QuarantineKind>> Count(
      const domain::QuarantineFilter& filter) = 0;
  virtual Result<domain::QuarantinedBytes> Show(Id id) = 0;
  virtual Result<std::vector<QuarantineReport>> Decide(const QuarantineRequest& request,
                                                       const domain::Actor& actor) = 0;
  // An id whose details could not be had is asked for again; whether it was on the list. `target` is SOURCE/ENDPOINT.
  virtual Result<bool> ReleaseId(const std::string& target, const std::string& item_id,
                                 const std::string& reason, const domain::Actor& actor) = 0;

  virtual Result<std::vector<domain::BadIdEntry>> BadIds(const domain::BadIdFilter& filter,
                                                         int ids_max) = 0;
  virtual Result<IdReleaseReport> ReleaseIds(const IdReleaseRequest& request,
                                             const domain::Actor& actor) = 0;
};

}  // namespace patra::app
