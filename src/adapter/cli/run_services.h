// What the command line asks of executors; boot provides it.
#pragma once

#include <functional>
#include <string>

#include "app/work/run_operation.h"
#include "base/result.h"

namespace patra::adapter::cli {

// How an engine is set up for one command.
struct EngineRequest {
  std::string database;
  bool allow_loopback = false;
  std::vector<std::string> networks{};
  std::string log_level = "warn";
  std::string lease = "15s";    // how long a task stays with an executor that is not heard of
  std::string configuration{};  // a file; empty: the usual one, where it exists
};

struct RunRequest {
  EngineRequest engine{};
  app::PlanRequest plan{};
  int workers = 4;
};

struct WorkRequest {
  EngineRequest engine{};
  bool drain = false;
  int workers = 4;
  std::optional<std::int64_t> requests_max{};
};

struct PreviewRequest {
  EngineRequest engine{};
  app::PlanRequest plan{};
  std::int64_t records_max = 3;
};

// One real request, mapped, and nothing stored.
struct PreviewReport {
  std::vector<Error> problems{};
  std::string window;
  std::string request;   // JSON, redacted
  std::string response;  // JSON
  std::string verdict;   // why it is no page; empty where it is one
  std::int64_t records = 0;
  std::int64_t bad_records = 0;
  std::vector<std::string> first_records{};  // JSON
  std::vector<std::string> first_bad{};
  std::vector<std::string> first_ids{};
  std::optional<std::int64_t> announced{};
  std::string next;  // what comes after this page
};

class RunServices {
 public:
  using OnProgress = app::RunOperation::OnProgress;
  using OnWork = app::Work::OnProgress;

  virtual ~RunServices() = default;

  virtual Result<app::OperationSummary> Run(const RunRequest& request,
                                            const OnProgress& on_progress) = 0;
  virtual Result<app::WorkSummary> Work(const WorkRequest& request, const OnWork& on_progress) = 0;
  virtual Result<PreviewReport> Preview(const PreviewRequest& request) = 0;

  // The signal that asked to stop, if one did.
  virtual std::optional<int> StoppedBySignal() const = 0;
};

}  // namespace patra::adapter::cli
