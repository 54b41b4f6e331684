#include "app/plan/slice_budget.h"

#include <algorithm>

namespace patra::app {

domain::SliceBudget BudgetOf(const domain::SpecSnapshot& spec, const PlanOptions& options,
                             int priority) {
  domain::SliceBudget budget{.requests_max = options.requests_max, .priority = priority};
  if (!spec.budget) return budget;
  if (const auto most = spec.budget->requests_max)
    budget.requests_max = std::min(budget.requests_max.value_or(*most), *most);
  budget.records_max = spec.budget->records_max;
  budget.duration_max = spec.budget->duration_max;
  budget.pause = spec.budget->pause;
  return budget;
}

}  // namespace patra::app
