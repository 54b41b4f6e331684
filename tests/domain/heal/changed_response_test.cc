#include "domain/heal/changed_response.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::changed_response_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChangedResponseTest : public ::testing::Test {
 protected:
  static BadRecord Bad(const std::string& path, const std::string& bytes) {
    return {.path = path, .rule = "required", .reason = "missing", .bytes = bytes};
  }

  std::optional<ChangedResponse> Find(std::int64_t good, const std::vector<BadRecord>& bad) {
    return FindChange({response_, fields_}, good, bad, policy_);
  }

  ResponseSpec response_{.items = "$.items", .id = {"$.id"}, .updated = "$.updated"};
  std::vector<FieldSpec> fields_{{.name = "title", .path = "$.title", .required = true},
                                 {.name = "note", .path = "$.note"}};
  ChangePolicy policy_;
};

TEST_F(ChangedResponseTest, MostRecordsThatFailTheSameRequiredPathAreAChange) {
  const std::vector<BadRecord> bad(6, Bad("$.title", R"({"id":"1","updated":"x","name":"T"})"));
  const auto change = Find(5, bad);
  ASSERT_TRUE(change);
  EXPECT_THAT(change->vanished, ElementsAre("$.title"));
  EXPECT_THAT(change->names, ElementsAre("id", "updated", "name"));
  EXPECT_EQ(change->Describe(),
            "the response does not fit the definition: 6 of 11 records have nothing sound at "
            "$.title (missing); they have id, "
            "updated, name");
}

TEST_F(ChangedResponseTest, HalfOfThemAreBadRecords) {
  const std::vector<BadRecord> bad(6, Bad("$.title", "{}"));
  EXPECT_FALSE(Find(6, bad));
}

TEST_F(ChangedResponseTest, FewerThanFiveAreBadRecords) {
  const std::vector<BadRecord> bad(4, Bad("$.title", R"({"id":"1"})"));
  EXPECT_FALSE(Find(0, bad));
}

TEST_F(ChangedResponseTest, AFieldThatIsNotRequiredChangesNothing) {
  const std::vector<BadRecord> bad(9, Bad("$.note", R"({"id":"1"})"));
  EXPECT_FALSE(Find(0, bad));
}

TEST_F(ChangedResponseTest, APageOnWhichNoRequiredPathResolvesIsAChangeHoweverShort) {
  const std::vector<BadRecord> bad(2, Bad("$.id", R"({"doi":"1","when":"x"})"));
  const auto change = Find(0, bad);
  ASSERT_TRUE(change);
  EXPECT_THAT(change->vanished, ElementsAre("$.id", "$.updated", "$.title"));
  EXPECT_THAT(change->names, ElementsAre("doi", "when"));
  EXPECT_FALSE(Find(0, {bad.front()})) << "one record alone is a bad record";
  EXPECT_FALSE(Find(1, bad)) << "a good one shows that the paths are right";
}

TEST_F(ChangedResponseTest, XmlIsLookedIntoAsWell) {
  response_ = {.format = ResponseFormat::kXml, .items = "//r", .id = {"id"}};
  fields_.clear();
  const std::vector<BadRecord> bad(3, Bad("id", "<r><key>1</key><name>N</name></r>"));
  const auto change = Find(0, bad);
  ASSERT_TRUE(change);
  EXPECT_THAT(change->names, ElementsAre("key", "name"));
}

TEST_F(ChangedResponseTest, ManyNamesAreCut) {
  std::string record = "{";
  for (int i = 0; i < 100; ++i) record += fmt::format("{}\"n{}\":1", i == 0 ? "" : ",", i);
  const auto change = Find(0, {2, Bad("$.id", record + "}")});
  ASSERT_TRUE(change);
  EXPECT_LT(change->names.size(), 20u);
  EXPECT_THAT(change->Describe(), HasSubstr("…"));
}

TEST_F(ChangedResponseTest, ThePolicyMaySayThatNothingStops) {
  policy_.stops = false;
  EXPECT_FALSE(Find(0, std::vector<BadRecord>(9, Bad("$.title", "{}"))));
}

TEST_F(ChangedResponseTest, BytesThatAreNoDocumentAreNotLookedInto) {
  EXPECT_FALSE(Find(0, std::vector<BadRecord>(3, Bad("$.items", "{\"id\":"))));
}

}  // namespace patra::domain::changed_response_test
