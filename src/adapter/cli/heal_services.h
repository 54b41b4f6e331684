// What the command line asks about trouble; boot provides it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/heal/trouble_reports.h"
#include "app/settings/settings_report.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct QuarantineRequest {
  enum class Kind { kApprove, kReject, kRetry };

  std::string database;
  std::string sources_folder{};  // definitions that are newer than the registry's
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

struct TargetRequest {
  std::string database;
  std::string target;  // SOURCE or SOURCE/ENDPOINT
  std::string item_id{};
  std::string reason{};
  std::string adjustment{};  // its kind
};

struct SignalRequest {
  std::string database;
  std::string sources_folder{};  // definitions that are newer than the registry's
  std::string target{};          // SOURCE/ENDPOINT
  domain::Signal signal{};       // of that endpoint
};

class HealServices {
 public:
  virtual ~HealServices() = default;

  virtual Result<std::vector<domain::QuarantineEntry>> ListQuarantine(
      const std::string& database, const domain::QuarantineFilter& filter, int entries_max) = 0;
  virtual Result<std::vector<domain::QuarantineKind>> CountQuarantine(
      const std::string& database, domain::QuarantineStatus status) = 0;
  virtual Result<domain::QuarantinedBytes> ShowQuarantine(const std::string& database, Id id) = 0;
  virtual Result<std::vector<QuarantineReport>> DecideQuarantine(
      const QuarantineRequest& request) = 0;
  virtual Result<bool> ReleaseId(const TargetRequest& request) = 0;

  virtual Result<std::vector<domain::Hold>> ListFuses(const std::string& database) = 0;
  virtual Result<void> ResetFuse(const TargetRequest& request) = 0;

  virtual Result<bool> AddSignal(const SignalRequest& request) = 0;
  virtual Result<std::vector<domain::Signal>> ListSignals(const std::string& database,
                                                          const std::string& status,
                                                          int signals_max) = 0;

  virtual Result<std::vector<domain::HealEntry>> HealLog(const std::string& database,
                                                         const std::string& source,
                                                         const std::string& since,
                                                         int entries_max) = 0;
  virtual Result<std::vector<domain::HealEntry>> HealRun(const std::string& database,
                                                         const std::string& configuration) = 0;
  virtual Result<app::SettingsReport> HealPolicy(const std::string& configuration) = 0;
  virtual Result<std::vector<domain::Adjustment>> ListAdjustments(const std::string& database) = 0;
  // False where there is none.
  virtual Result<bool> TakeBackAdjustment(const TargetRequest& request) = 0;
};

}  // namespace patra::adapter::cli
