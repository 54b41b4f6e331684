// What stands outside of sections in the configuration: where things are, and what is logged.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

struct Workplace {
  std::string database = "patra.db";
  std::string sources{};  // empty: those that were shipped, else ./sources
  std::string log_level = "warn";
  std::string log_format = "auto";
  double log_sample = 0.01;                                  // of the runs of a service
  Duration slow_statement = std::chrono::milliseconds(500);  // of the store; 0: none is told
  std::string trace_endpoint{};                              // empty: nobody takes spans
  bool allows_loopback = false;
  std::string networks{};  // divided by commas
};

Shape WorkplaceShape();

// REQUIRES: a configuration that was checked.
Workplace ReadWorkplace(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> WorkplaceSettings(const Workplace& workplace);

}  // namespace patra::domain
