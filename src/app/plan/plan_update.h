// Turns "fetch these records again" into a plan: candidates are gathered, cut into slices of ids, and the
// executor asks for their details. Only existing records are asked for, except by signals and lists.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "app/plan/plan_writer.h"
#include "app/plan/replace_older.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// Records that nobody has looked at for so long, one of `buckets` equal parts a day.
struct StaleRecords {
  Duration older_than = std::chrono::days(30);
  int buckets = 1;
};
// Records that were made by another mapping than these.
struct ChangedRecords {
  std::vector<std::string> prototypes;  // hashes of what the definition says at present
};
// Records that somebody asked for; each request is taken by one plan.
struct SignalledRecords {};
// These and no others.
struct ListedRecords {
  std::vector<std::string> ids;  // any order; repetitions count once
};
using UpdateScope = std::variant<StaleRecords, ChangedRecords, SignalledRecords, ListedRecords>;

inline constexpr int kBucketsMax = 1'000;

struct UpdateCommand {
  domain::SpecSnapshot spec;  // compiled for UPDATE
  UpdateScope scope = SignalledRecords{};
  PlanOptions options{};
};

class PlanUpdate {
 public:
  explicit PlanUpdate(const PlanPorts& ports, const PlanLimits& limits = {})
      : ports_(ports),
        limits_(limits),
        writer_(ports, limits),
        try_again_(ports, limits),
        older_(ports) {}

  Result<Planned> Run(const UpdateCommand& command);

  // Goes on with a plan that stopped. The ids of a list are known to nobody but who gave them: then nothing.
  Result<Planned> TakeRest(const StoredPlan& stored, const PlanOptions& options);

 private:
  Result<Planned> PlanNew(const UpdateCommand& command, const domain::Lane& lane,
                          domain::Plan plan);
  Result<domain::Plan> Draft(const UpdateCommand& command, const Value& params, Id trigger) const;
  Result<Planned> PreviewSignals(const UpdateCommand& command) const;
  Result<Planned> Settled(Planned planned, const UpdateCommand& command) const;
  PlanWriter::OpenSource OpenIds(const UpdateCommand& command) const;

  PlanPorts ports_;
  PlanLimits limits_;
  PlanWriter writer_;
  TryAgain try_again_;
  ReplaceOlder older_;
};

}  // namespace patra::app
