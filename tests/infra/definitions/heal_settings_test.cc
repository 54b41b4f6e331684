// Every threshold has a default and can be set in the configuration.
#include "domain/heal/heal_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/settings/settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::heal_settings_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HealPolicy Read(const std::string& yaml, std::vector<Error>& problems) {
  const auto file = infra::definitions::ParseYaml(yaml, "patra.yaml");
  EXPECT_THAT(file.problems, IsEmpty());
  return ReadSettings(file.tree, problems).heal;
}

TEST(HealSettings, AreReadFromTheConfiguration) {
  std::vector<Error> problems;
  const auto policy = Read(
      "heal:\n"
      "  throttled_part_over: 10%\n"
      "  l1_part_halving: 0.4\n"
      "  circuit_pause: 2m\n"
      "  failures_in_a_row: 7\n"
      "  safety_lag_growth: 2\n"
      "  change:\n"
      "    stops: false\n"
      "  recut:\n"
      "    slice_time_max: 1h\n",
      problems);
  EXPECT_THAT(problems, IsEmpty()) << problems.front().Describe();
  EXPECT_DOUBLE_EQ(policy.throttled_part_over, 0.1);
  EXPECT_DOUBLE_EQ(policy.l1_part_halving, 0.4);
  EXPECT_EQ(policy.circuit_pause, 2min);
  EXPECT_EQ(policy.failures_in_a_row, 7);
  EXPECT_DOUBLE_EQ(policy.safety_lag_growth, 2);
  EXPECT_FALSE(policy.change.stops);
  EXPECT_EQ(policy.recut.slice_time_max, 1h);
  EXPECT_EQ(policy.pause, HealPolicy{}.pause) << "what is not said stays";
}

TEST(HealSettings, WhatIsWrongIsReportedWithItsLineAndWhatMayBeMeant) {
  std::vector<Error> problems;
  Read(
      "heal:\n"
      "  throtled_part_over: 10%\n"
      "  circuit_pause: soon\n"
      "heel: {}\n",
      problems);
  ASSERT_THAT(problems, SizeIs(3));
  std::string all;
  for (const auto& problem : problems) all += problem.Describe() + "\n";
  EXPECT_THAT(all, HasSubstr("patra.yaml:2"));
  EXPECT_THAT(all, HasSubstr("throttled_part_over"));
  EXPECT_THAT(all, HasSubstr("patra.yaml:3"));
  EXPECT_THAT(all, HasSubstr("patra.yaml:4"));
}

TEST(HealSettings, EveryThresholdHasADefaultThatCanBeReadBack) {
  std::string yaml = "heal:\n";
  std::string group;
  for (const auto& setting : HealSettings({})) {
    EXPECT_EQ(setting.value, setting.usual);
    EXPECT_FALSE(setting.doc.empty()) << setting.name;
    const auto dot = setting.name.find('.');
    if (dot == std::string::npos) {
      yaml += "  " + setting.name + ": " + setting.value + "\n";
      continue;
    }
    if (group != setting.name.substr(0, dot)) yaml += "  " + setting.name.substr(0, dot) + ":\n";
    group = setting.name.substr(0, dot);
    yaml += "    " + setting.name.substr(dot + 1) + ": " + setting.value + "\n";
  }
  std::vector<Error> problems;
  const auto policy = Read(yaml, problems);
  EXPECT_THAT(problems, IsEmpty()) << problems.front().Describe();
  const auto again = HealSettings(policy);
  for (const auto& setting : again) EXPECT_EQ(setting.value, setting.usual) << setting.name;
}

}  // namespace patra::domain::heal_settings_test
