// What a replay found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/word/lane.h"
#include "domain/word/record_counts.h"

namespace patra::app {

enum class ReplayMode {
  kReport,   // writes nothing
  kIsolate,  // what differs goes to quarantine
  kCommit,   // what differs is stored, once the page is verified
};

enum class ReplayVerdict {
  kAgrees,
  kChangedSince,  // every record that differs was updated after the batch
  kDiffers,
  kNoPage,  // there is nothing to compare
};
std::string_view Name(ReplayVerdict verdict);  // "agrees"

// A record that is not as it is stored.
struct RecordDifference {
  enum class Kind {
    kChanged,
    kOlder,  // than what is stored
    kNew,
    kGone,  // the batch brought it, and it does not come any more
    kBad,
  };
  Kind kind = Kind::kChanged;
  std::string id;
  std::vector<std::string> fields{};  // that differ
  bool is_since = false;              // the provider changed it after the batch
};
std::string_view Name(RecordDifference::Kind kind);

// A hash that the account has of what the batch was made by, and that of what stands there now.
struct ComparedHash {
  std::string of;  // "fingerprint"
  std::string recorded;
  std::string now;

  bool is_same() const { return recorded == now; }
};

struct ReplayReport {
  Id run = 0;
  Id batch = 0;
  int batch_no = 1;
  domain::Lane lane;
  std::string window;
  std::string position;
  ReplayMode mode = ReplayMode::kReport;
  bool from_raw = false;
  std::vector<ComparedHash> hashes{};  // all the same: else nothing is asked for, nor compared

  // What the account says.
  struct Recorded {
    std::string status;  // "SUCCEEDED"
    std::optional<std::string> error;
    std::int64_t records = 0;
    std::int64_t bad = 0;
    std::string next;
    std::string request;    // JSON, redacted
    std::string body_hash;  // empty where none is known
    std::optional<Instant> committed_at;
  } recorded;

  // What came this time.
  struct Got {
    std::string request;  // JSON, redacted
    int status = 0;
    Instant fetched_at;
    std::optional<std::int64_t> announced;
    std::int64_t records = 0;  // all: good, bad, filtered, ids
    std::int64_t bad = 0;
    std::int64_t filtered = 0;
    std::int64_t unanswered = 0;  // ids of the second phase
    std::string next;
    std::string body_hash;
  } got;

  std::int64_t same = 0;
  std::int64_t superseded = 0;  // --from-raw: the store has a newer version by now, as it should
  std::vector<RecordDifference> differences{};
  std::int64_t Count(RecordDifference::Kind kind) const;

  ReplayVerdict verdict = ReplayVerdict::kNoPage;
  std::string reason{};
  std::string hint{};
  std::optional<Instant> try_at{};  // the gate lets nobody in before

  std::optional<Error> refusal{};  // why nothing was committed
  std::int64_t isolated = 0;
  Id replay_run = 0;  // 0: nothing had to be written
  domain::RecordCounts committed{};

  bool is_same_request() const { return recorded.request == got.request; }
  bool is_same_body() const { return recorded.body_hash == got.body_hash; }
};

// As one object, with at most `differences_max` of the differences.
Value ToValue(const ReplayReport& report, std::size_t differences_max);

}  // namespace patra::app
