// What a service can be for those who share a store: all of it in one process, or each part in one of its own.
#pragma once

#include <array>

#include "domain/word/codes.h"

namespace patra::domain {

enum class ServiceRole {
  kScheduler,  // says when something is due
  kPlanner,    // makes plans of what is due
  kExecutor,   // works them off
  kApi,        // answers people and programs
};
constexpr auto CodesOf(ServiceRole) {
  using enum ServiceRole;
  return std::to_array<Coded<ServiceRole>>(
      {{kScheduler, "SCHEDULER"}, {kPlanner, "PLANNER"}, {kExecutor, "EXECUTOR"}, {kApi, "API"}});
}

}  // namespace patra::domain
