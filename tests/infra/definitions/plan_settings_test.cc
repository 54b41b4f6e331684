// How much is planned ahead has a default and can be set in the configuration.
#include "domain/plan/plan_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/settings/settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::plan_settings_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Settings Read(const std::string& yaml, std::vector<Error>& problems) {
  const auto file = infra::definitions::ParseYaml(yaml, "patra.yaml");
  EXPECT_THAT(file.problems, IsEmpty());
  return ReadSettings(file.tree, problems);
}

TEST(PlanSettings, AreReadBesideThoseOfHealing) {
  std::vector<Error> problems;
  const auto settings =
      Read("heal:\n  failures_in_a_row: 7\nplan:\n  open_tasks_max: 50\n", problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(settings.plan.open_tasks_max, 50);
  EXPECT_EQ(settings.heal.failures_in_a_row, 7);
  EXPECT_EQ(PlanSettings(settings.plan).front().value, "50");
  EXPECT_EQ(PlanSettings(settings.plan).front().usual, "1000");
}

TEST(PlanSettings, TheOrderOfOperationsCanBeChanged) {
  std::vector<Error> problems;
  const auto limits = Read("plan:\n  priority: {backfill: 2, harvest: 6}\n", problems).plan;
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(limits.PriorityOf(Operation::kBackfill), 2);
  EXPECT_EQ(limits.PriorityOf(Operation::kUpdate), 5);
  EXPECT_EQ(limits.PriorityOf(Operation::kHarvest), 6);
  Read("plan:\n  priority: {backfill: 12}\n", problems);
  EXPECT_THAT(problems, SizeIs(1));
}

TEST(PlanSettings, AFileWithoutThemLeavesTheDefaults) {
  for (const auto* yaml : {"", "heal: {}\n", "plan: {}\n"}) {
    std::vector<Error> problems;
    EXPECT_EQ(Read(yaml, problems).plan.open_tasks_max, 1'000) << yaml;
    EXPECT_THAT(problems, IsEmpty()) << yaml;
  }
}

TEST(PlanSettings, SayWhichRegistryIsPlannedByAndForWhichRelease) {
  std::vector<Error> problems;
  const auto plan = Read(
                        "plan: {release: canary, registry: 'https://registry.example:8470', "
                        "registry_token: '${env:TOKEN}'}",
                        problems)
                        .plan;
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(plan.release, "canary");
  EXPECT_EQ(plan.registry, "https://registry.example:8470");
  EXPECT_EQ(plan.registry_token, "${env:TOKEN}");
  EXPECT_EQ(Read("", problems).plan.release, "");
}

TEST(PlanSettings, WhatIsWrongIsReportedWithItsLineAndWhatMayBeMeant) {
  struct Case {
    const char* yaml;
    const char* place;
    const char* says;
  };
  for (const auto& [yaml, place, says] :
       {Case{"plan:\n  open_task_max: 5\n", ":2", "open_tasks_max"},
        Case{"plan:\n  open_tasks_max: 0\n", ":2", "1 to"},
        Case{"plan:\n  open_tasks_max: -3\n", ":2", "1 to"},
        Case{"plan:\n  open_tasks_max: 10000001\n", ":2", "1 to"},
        Case{"plan:\n  open_tasks_max: many\n", ":2", "many"}, Case{"plan: 5\n", ":1", "plan"},
        Case{"plans:\n  open_tasks_max: 5\n", ":1", "plan"}}) {
    std::vector<Error> problems;
    Read(yaml, problems);
    ASSERT_THAT(problems, SizeIs(1)) << yaml << "and nothing goes by a file that has any";
    EXPECT_THAT(problems.front().Describe(), HasSubstr(std::string("patra.yaml") + place));
    EXPECT_THAT(problems.front().Describe(), HasSubstr(says)) << yaml;
  }
}

}  // namespace patra::domain::plan_settings_test
