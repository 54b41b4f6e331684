// The completeness certificate (I14): which stretches of source time are proven complete, by what, and what
// is not, each gap with its reason and the command that closes it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/ledger_rows.h"

namespace patra::contract {

// What is proven complete is proven for one query of one endpoint.
struct CoverageKey {
  std::string source;
  std::string endpoint;
  std::string query_hash;

  std::string Name() const { return source + "/" + endpoint; }
  friend bool operator==(const CoverageKey&, const CoverageKey&) = default;
};

// What balancing a slice proves depends on what the provider tells.
enum class Proof {
  kExactTotal,  // it announced how many there are, and so many came
  kEstimate,    // it announced about how many
  kEndRule,     // it announces nothing; the walk met the declared end
};

// The part of a stretch that one plan has proven.
struct ProvenBy {
  Id plan = 0;
  std::string operation;
  std::int64_t slices = 0;
  Id first_slice = 0;
  Id last_slice = 0;
  Instant closed_first;
  Instant closed_last;
  RecordSums sums;
  std::int64_t by_exact_total = 0;  // slices
  std::int64_t by_estimate = 0;
  std::int64_t by_end_rule = 0;
};

struct ProvenStretch {
  Stretch stretch;  // cut to the certificate's range
  std::vector<ProvenBy> by;
};

enum class GapKind {
  kNeverPlanned,
  kUnfinished,
  kFailed,
  kPartial,
  kCancelled,
  kEarly,  // by its own clock the provider could not have it yet: nothing is missing
};

std::string_view Code(GapKind kind);

struct CertificateGap {
  Stretch stretch;
  GapKind kind = GapKind::kNeverPlanned;
  std::string reason;
  Id plan = 0;
  Id slice = 0;
  Id task = 0;
  std::string repair;  // the command
};

// A slice that counts as proven although its sums do not add up.
struct Imbalance {
  Id plan = 0;
  Id slice = 0;
  Stretch stretch;
  std::string reason;
};

// What a certificate says of one day, UTC.
struct ProofOfDay {
  std::optional<GapKind> worst{};  // none: all of it is proven
  double proven = 0;               // this part of what of the day lies in the range
  std::int64_t slices = 0;         // that begin on it
  std::int64_t records = 0;        // that they brought
};

struct Certificate {
  CoverageKey key;
  Stretch range;
  Instant issued_at;
  std::vector<ProvenStretch> proven;
  std::vector<CertificateGap> gaps;
  std::vector<Imbalance> imbalances;
  RecordSums sums;  // of all slices that prove something
  std::int64_t quarantine_open = 0;
  // Proven by definitions that asked for something else than the one in force, and the keys in which they differ. It is complete
  // for what they asked for.
  std::vector<Stretch> asked_otherwise;
  std::vector<std::string> asked_otherwise_by;
  // Day by day from that of the range's beginning on, where it was asked for.
  std::vector<ProofOfDay> days{};

  bool is_complete() const {
    return imbalances.empty() && std::ranges::all_of(gaps, [](const CertificateGap& gap) {
             return gap.kind == GapKind::kEarly;
           });
  }
};

// The first gaps and proofs, at most so many; how many there are is always said.
struct ShownOfCertificate {
  std::size_t gaps_max = std::string::npos;
  std::size_t proofs_max = std::string::npos;
};
Value ToValue(const Certificate& certificate, const ShownOfCertificate& shown = {});

// Day by day, for a picture over years.
struct DaysOfProof {
  CoverageKey key;
  Stretch range;  // of all there is
  Instant from;   // the first of the days
  std::vector<ProofOfDay> days;
};

// Members of lists, one entry a day.
Value ToValue(const DaysOfProof& days);

// What a plan's provider tells about totals.
struct TotalPromise {
  std::string kind;           // EXACT, ESTIMATE or NONE
  double within = 0;          // an estimate may be off by this part
  std::string fingerprint{};  // of the snapshot that the plan was made from
};

// What a certificate is made from.
class CompletenessQueries {
 public:
  struct Known {
    CoverageKey key;
    std::optional<Stretch> planned{};  // from the first to the last planned moment
    // Where harvests begin by the definition in force, whatever moment a command named: the watermark says of all that lies
    // between that it is here. Absent where nothing was harvested.
    std::optional<Instant> begins{};
    // What that definition asks for. Absent where no planner has noted it.
    std::optional<std::string> asked{};
  };

  virtual ~CompletenessQueries() = default;

  // The queries that were ever planned. Empty endpoint: of all endpoints of the source.
  virtual Result<std::vector<Known>> KnownQueries(const std::string& source,
                                                  const std::string& endpoint) = 0;

  // Proven stretches that overlap or touch the range, in order.
  virtual Result<std::vector<Stretch>> Proven(const CoverageKey& key, const Stretch& range) = 0;

  // Slices that overlap the range, in the order of (window_from, id), after the given one: what became of them, and of those that
  // did not succeed whose task that was. How they were asked for is left out.
  virtual Result<std::vector<SliceRow>> SlicesIn(const CoverageKey& key, const Stretch& range,
                                                 const std::optional<SliceRow>& after,
                                                 int rows_max) = 0;

  virtual Result<TotalPromise> PromiseOf(Id plan) = 0;
  // The snapshot that it was made from.
  virtual Result<std::string> SnapshotOf(Id plan) = 0;

  // Open quarantine rows of slices that overlap the range; counted up to kCountedAtMost.
  virtual Result<std::int64_t> OpenQuarantine(const CoverageKey& key, const Stretch& range) = 0;
};

}  // namespace patra::contract
