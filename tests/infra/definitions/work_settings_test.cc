#include "domain/task/work_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/settings/settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::work_settings_test {

using ::testing::SizeIs;

Settings ReadWork(const std::string& text, std::vector<Error>& problems) {
  const auto file = infra::definitions::ParseYaml(text, "patra.yaml");
  return ReadSettings(file.tree, problems);
}

TEST(WorkSettings, AreReadFromTheirSection) {
  std::vector<Error> problems;
  const auto settings = ReadWork("work: {tasks_per_lane: 8, tasks_in_all: 64}", problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.work.per_lane, 8);
  EXPECT_EQ(settings.work.in_all, 64);
  EXPECT_EQ(ReadWork("plan: {}", problems).work.per_lane, 0);
}

TEST(WorkSettings, ThatMakeNoSenseAreProblemsWithTheirLine) {
  for (const auto* text : {"work:\n  tasks_per_lane: -1", "work:\n  tasks_in_all: many",
                           "work:\n  tasks_in_all: 1000000", "work:\n  lanes: 3"}) {
    std::vector<Error> problems;
    ReadWork(text, problems);
    ASSERT_THAT(problems, SizeIs(1)) << text;
    EXPECT_EQ(problems[0].place.line, 2) << text;
  }
}

TEST(WorkSettings, ShowTheirDefaults) {
  const auto shown = ShowWorkSettings({.per_lane = 3});
  ASSERT_THAT(shown, SizeIs(2));
  EXPECT_EQ(shown[0].value, "3");
  EXPECT_EQ(shown[0].usual, "0");
}

}  // namespace patra::domain::work_settings_test
