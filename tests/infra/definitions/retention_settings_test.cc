#include "domain/retention/retention_settings.h"

#include <gmock/gmock.h>

#include "domain/settings/settings.h"
#include "infra/definitions/yaml_files.h"

namespace patra::retention_settings_test {

using std::chrono::days;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct ReadOnce {
  explicit ReadOnce(const std::string& text) {
    const auto document = infra::definitions::ParseYaml(text, "patra.yaml");
    policy = domain::ReadSettings(document.tree, problems).retention;
  }

  std::vector<Error> problems;
  domain::RetentionPolicy policy;
};

TEST(RetentionSettings, AgesAndPlacesAreRead) {
  const ReadOnce read(
      "retention: {archive_dir: old, archive_after: 60d, archive_gathers: 0s, vault_max: 1000, "
      "vault_drops: true, gc_daily: true, keep: {audit: 0s, changes: 3d}}");
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.policy.archive_dir, "old");
  EXPECT_EQ(read.policy.archive_after, days(60));
  EXPECT_EQ(read.policy.archive_gathers, Duration{});
  EXPECT_EQ(read.policy.vault_max, 1000);
  EXPECT_TRUE(read.policy.vault_drops);
  EXPECT_TRUE(read.policy.gc_daily);
  EXPECT_FALSE(read.policy.archive_daily);
  EXPECT_EQ(read.policy.keep_audit, Duration{});
  EXPECT_EQ(read.policy.keep_changes, days(3));
}

TEST(RetentionSettings, WhatIsYoungerThanADayIsNeverOld) {
  const ReadOnce read("retention:\n  archive_after: 0s\n  keep: {changes: 1h}\n");
  ASSERT_THAT(read.problems, SizeIs(2));
  EXPECT_THAT(read.problems[0].Describe(), HasSubstr("patra.yaml:2"));
  EXPECT_THAT(read.problems[0].Describe(), HasSubstr("retention.archive_after cannot be 0s"));
  EXPECT_THAT(read.problems[1].Describe(), HasSubstr("a day at least, or 0s"));
  EXPECT_EQ(read.policy.archive_after, days(90)) << "as usual";
}

}  // namespace patra::retention_settings_test
