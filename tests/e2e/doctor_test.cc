// `patra doctor`: what it says about a store and what belongs to it.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::doctor_test {

using ::testing::HasSubstr;
using ::testing::Not;

class Doctor : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.Path("sources"));
    std::filesystem::copy_file(PATRA_SOURCE_DIR "/sources/sim-rest.yaml",
                               folder_.Path("sources/sim-rest.yaml"));
  }

  std::string database() { return stores_.At(folder_.Path("patra.db")); }
  testing::CommandAnswer Run(std::vector<std::string> words) {
    words.insert(words.end(), {"--sources", folder_.Path("sources")});
    return testing::RunPatra(application_, clock_, database(), std::move(words));
  }
  testing::CommandAnswer Look(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "doctor");
    return Run(std::move(more));
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(Doctor, FindsNothingWrongWithANewStore) {
  ASSERT_EQ(Run({"db", "migrate"}).code, 0);
  const auto told = Look();
  // The server of the tests loses what it committed when the power goes, which is wrong anywhere else.
  EXPECT_EQ(told.code, stores_.are_on_a_server() ? 1 : 0) << told.out;
  EXPECT_EQ(told.out.contains("innodb_flush_log_at_trx_commit"), stores_.are_on_a_server());
  for (const auto* topic : {"store", "executors", "holds", "alerts", "sources"})
    EXPECT_THAT(told.out, HasSubstr("ok     " + std::string(topic)));
}

TEST_F(Doctor, TellsAPausedSourceWithWhatEndsIt) {
  ASSERT_EQ(Run({"source", "pause", "sim-rest", "--reason", "repairs"}).code, 0);
  const auto told = Look();
  EXPECT_THAT(told.out, HasSubstr("warn   holds"));
  EXPECT_THAT(told.out, HasSubstr("patra source resume sim-rest"));
  EXPECT_THAT(told.out, Not(HasSubstr("ok     holds")));
}

TEST_F(Doctor, ADefinitionThatCannotBeUsedIsWrong) {
  ASSERT_EQ(Run({"db", "migrate"}).code, 0);
  std::ofstream(folder_.Path("sources/broken.yaml")) << "source: broken\nnam: Broken\n";
  const auto told = Look();
  EXPECT_EQ(told.code, 1);
  EXPECT_THAT(told.out, HasSubstr("wrong  sources      broken cannot be used as it is"));
  EXPECT_THAT(told.out, HasSubstr("ok     sources      1 of 2 definitions"));
}

TEST_F(Doctor, SaysOneObjectALineForMachines) {
  ASSERT_EQ(Run({"db", "migrate"}).code, 0);
  const auto told = Look({"--json"});
  std::istringstream lines(told.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto value = ParseJson(line);
    ASSERT_TRUE(value) << line;
    EXPECT_TRUE(value->Find("level") != nullptr && value->Find("topic") != nullptr) << line;
  }
  EXPECT_GE(count, 6);
}

TEST_F(Doctor, AServerThatIsAwayIsWrongAndTheRestIsLookedAtAllTheSame) {
  std::istringstream in;
  const auto told = testing::RunPatra(application_, clock_, "mysql://nobody@127.0.0.1:1/none",
                                      {"doctor", "--sources", folder_.Path("sources")});
  EXPECT_EQ(told.code, 1);
  EXPECT_THAT(told.out, HasSubstr("wrong  store"));
  EXPECT_THAT(told.out, HasSubstr("ok     sources"));
}

}  // namespace patra::doctor_test
