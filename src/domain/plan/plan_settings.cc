#include "domain/plan/plan_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kOpenTasksMost = 10'000'000;
constexpr std::int64_t kTriesMost = 1'000;
constexpr std::int64_t kPriorityMost = 9;

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
       .most = kTriesMost},
      {.name = "priority.harvest",
       .field = [](P& p) -> std::int64_t& { return p.harvest_priority; },
       .doc =
           "how urgent harvests are; smaller is more urgent, in the queue and where a quota or a "
           "rate is short (1 to 3 like a harvest, 4 and 5 like an update, more like a backfill)",
       .least = 1,
       .most = kPriorityMost},
      {.name = "priority.update",
       .field = [](P& p) -> std::int64_t& { return p.update_priority; },
       .doc = "the same of updates",
       .least = 1,
       .most = kPriorityMost},
      {.name = "priority.backfill",
       .field = [](P& p) -> std::int64_t& { return p.backfill_priority; },
       .doc = "the same of backfills",
       .least = 1,
       .most = kPriorityMost},
      {.name = "release",
       .field = [](P& p) -> std::string& { return p.release; },
       .doc = "the release whose definitions go before those of all, and that definitions are "
              "applied for; none: those of all"},
      {.name = "registry",
       .field = [](P& p) -> std::string& { return p.registry; },
       .doc = "the machine whose definitions are planned by, https://HOST:8470; none: those of the "
              "store"},
      {.name = "registry_token",
       .field = [](P& p) -> std::string& { return p.registry_token; },
       .doc = "where a viewer's token for it is, ${env:NAME} or ${file:PATH}"}};
  return table;
}

}  // namespace

Shape PlanShape() { return ShapeOf(Table()); }

PlanLimits ReadPlanLimits(const DefinitionNode& checked, std::vector<Error>& problems) {
  return ReadSection(checked, "plan", Table(), problems);
}

std::vector<Setting> PlanSettings(const PlanLimits& limits) { return ShowSection(Table(), limits); }

}  // namespace patra::domain
