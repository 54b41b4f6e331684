#include "domain/plan/plan_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kOpenTasksMost = 10'000'000;
constexpr std::int64_t kTriesMost = 1'000;

const std::vector<SettingRow<PlanLimits>>& Table() {
  using P = PlanLimits;
  static const std::vector<SettingRow<P>> table{
      {.name = "open_tasks_max",
       .field = [](P& p) -> std::int64_t& { return p.open_tasks_max; },
       .doc = "unfinished tasks of a source, endpoint and operation: the rest of a plan waits",
       .least = 1,
       .most = kOpenTasksMost},
      {.name = "tries_max",
       .field = [](P& p) -> std::int64_t& { return p.tries_max; },
       .doc = "how often commands that ask for it again try a slice that failed; then a person "
              "decides",
       .least = 0,
       .most = kTriesMost}};
  return table;
}

}  // namespace

Shape PlanShape() { return ShapeOf(Table()); }

PlanLimits ReadPlanLimits(const DefinitionNode& checked, std::vector<Error>& problems) {
  return ReadSection(checked, "plan", Table(), problems);
}

std::vector<Setting> PlanSettings(const PlanLimits& limits) { return ShowSection(Table(), limits); }

}  // namespace patra::domain
