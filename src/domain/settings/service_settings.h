// What the configuration of a machine says about the service.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/schedule/judge_execution.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/service_role.h"
#include "domain/word/setting.h"

namespace patra::domain {

struct ServiceSettings {
  std::string roles = "scheduler,planner,executor,api";
  std::string listen = "127.0.0.1:8470";  // of the API
  std::string read_from{};                // a replica of the store; empty: the store itself
  std::string certificate{};              // PEM; empty: no TLS
  std::string key{};
  std::string hosts{};  // by which it is called, beside this machine's own names, divided by commas
  std::string origins{};         // of pages that may call it
  std::int64_t concurrency = 4;  // tasks at the same time, of this process
  // How long work that is under way may take to end, once the service is told to stop.
  Duration stop_within = std::chrono::seconds(30);
  // How long nobody works at an execution of a job before it has failed.
  Duration executions_fail_after = kNobodyWorksFor;
};

// Those that a list such as "scheduler,planner" names.
Result<std::set<ServiceRole>> ServiceRolesOf(const std::string& list);

Shape ServiceShape();

// REQUIRES: a configuration that was checked.
ServiceSettings ReadServiceSettings(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> ShowServiceSettings(const ServiceSettings& settings);

}  // namespace patra::domain
