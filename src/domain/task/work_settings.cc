#include "domain/task/work_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

const std::vector<SettingRow<AtOnceSettings>>& WorkTable() {
  using A = AtOnceSettings;
  static const std::vector<SettingRow<A>> table{
      {.name = "tasks_per_lane",
       .field = [](A& a) -> std::int64_t& { return a.per_lane; },
       .doc = "how many tasks of one operation at one endpoint run at once, in all processes "
              "together; 0: as many as keep busy what its limits allow",
       .least = 0,
       .most = kTasksAtOnceMost},
      {.name = "tasks_in_all",
       .field = [](A& a) -> std::int64_t& { return a.in_all; },
       .doc = "how many tasks run at once, in all processes together; 0: 16 for each executor, or "
              "as many as it has workers",
       .least = 0,
       .most = kTasksAtOnceMost}};
  return table;
}

}  // namespace

Shape WorkShape() { return ShapeOf(WorkTable()); }

AtOnceSettings ReadWorkSettings(const DefinitionNode& checked, std::vector<Error>& problems) {
  return ReadSection(checked, "work", WorkTable(), problems);
}

std::vector<Setting> ShowWorkSettings(const AtOnceSettings& settings) {
  return ShowSection(WorkTable(), settings);
}

}  // namespace patra::domain
