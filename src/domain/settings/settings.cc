#include "domain/settings/settings.h"

#include "domain/gate/gate_settings.h"
#include "domain/heal/heal_settings.h"
#include "domain/plan/plan_settings.h"
#include "domain/retention/retention_settings.h"
#include "domain/spec/shape.h"
#include "domain/task/work_settings.h"

namespace patra::domain {
namespace {

const Shape& ConfigurationShape() {
  static const Shape shape = [] {
    auto all = WorkplaceShape();
    all.keys.push_back({.name = "heal", .shape = HealShape()});
    all.keys.push_back({.name = "plan", .shape = PlanShape()});
    all.keys.push_back({.name = "gate", .shape = GateShape()});
    all.keys.push_back({.name = "work", .shape = WorkShape()});
    all.keys.push_back({.name = "service", .shape = ServiceShape()});
    all.keys.push_back({.name = "retention", .shape = RetentionShape()});
    return all;
  }();
  return shape;
}

}  // namespace

Settings ReadSettings(const DefinitionNode& configuration, std::vector<Error>& problems) {
  if (configuration.is_null()) return {};
  const auto checked = CheckShape(configuration, ConfigurationShape(), "", problems);
  return {.heal = ReadHealPolicy(checked, problems),
          .plan = ReadPlanLimits(checked, problems),
          .gate = ReadGateSettings(checked, problems),
          .work = ReadWorkSettings(checked, problems),
          .service = ReadServiceSettings(checked, problems),
          .retention = ReadRetentionPolicy(checked, problems),
          .workplace = ReadWorkplace(checked, problems)};
}

}  // namespace patra::domain
