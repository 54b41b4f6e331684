// What a plan says about itself: what was estimated, what could not be had, and why.
#pragma once

#include <string>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "base/value.h"
#include "domain/plan/plan.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct RemarkFacts {
  const domain::SpecSnapshot& spec;
  const domain::Plan& plan;
  const PlanOptions& options;
  const domain::PriceTag& price;
  std::string width_reason{};
};
Value PlanRemarks(const RemarkFacts& facts);

}  // namespace patra::app
