#include "domain/gate/gate_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/settings/settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::gate_settings_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Settings Read(const std::string& text, std::vector<Error>& problems) {
  const auto file = infra::definitions::ParseYaml(text, "patra.yaml");
  return ReadSettings(file.tree, problems);
}

TEST(GateSettings, AreReadFromTheirSection) {
  std::vector<Error> problems;
  const auto settings = Read("gate: {rate: 2/s, wait_max: 20s}", problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(settings.gate.rate, "2/s");
  EXPECT_EQ(settings.gate.wait_max, 20s);
  EXPECT_EQ(Read("plan: {}", problems).gate.wait_max, 5s);
}

TEST(GateSettings, ThatMakeNoSenseAreProblemsWithTheirLine) {
  for (const auto* text : {"gate:\n  rate: fast", "gate:\n  wait_max: 0s", "gate:\n  wait_max: 1h",
                           "gate:\n  patience: 3s"}) {
    std::vector<Error> problems;
    Read(text, problems);
    ASSERT_THAT(problems, SizeIs(1)) << text;
    EXPECT_EQ(problems[0].place.line, 2) << text;
  }
}

TEST(GateSettings, ShowTheirDefaults) {
  const auto shown = ShowGateSettings({.rate = "1/3s"});
  ASSERT_THAT(shown, SizeIs(3));
  EXPECT_EQ(shown[0].value, "1/3s");
  EXPECT_EQ(shown[0].usual, "");
  EXPECT_EQ(shown[1].value, "5s");
  EXPECT_EQ(shown[2].name, "url");
}

}  // namespace patra::domain::gate_settings_test
