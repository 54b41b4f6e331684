// Commands that only look leave no trace in the store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::looking_test {

class Looking : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> arguments) {
    const auto answer = testing::RunPatra(
        application_, clock_, stores_.At(folder_.Path("patra.db")), std::move(arguments));
    told_ = answer.err;
    return answer.code;
  }

  // How often a process came that would change something.
  std::int64_t Changers() {
    return testing::CountIn(stores_.At(folder_.Path("patra.db")), "SELECT count(*) FROM ing_node",
                            clock_);
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  boot::Application application_;
  SystemClock clock_;
  std::string told_;
};

TEST_F(Looking, WritesNothing) {
  const auto sources = std::string(PATRA_SOURCE_DIR) + "/sources";
  ASSERT_EQ(Run({"db", "migrate"}), 0) << told_;
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"status"},
           {"plan", "list"},
           {"items", "list"},
           {"alerts", "list"},
           {"quarantine", "list"},
           {"fuse", "list"},
           {"signal", "list"},
           {"gate", "list"},
           {"heal", "log"},
           {"heal", "adjustments"},
           {"registry", "export", folder_.Path("exported")},
           {"plan", "harvest", "sim-rest", "--dry-run", "--sources", sources},
           {"harvest", "sim-rest", "--dry-run", "--sources", sources}}) {
    EXPECT_EQ(Run(command), 0) << command[0] << ": " << told_;
    EXPECT_EQ(Changers(), 0) << command[0];
  }
  EXPECT_EQ(Run({"source", "pause", "sim-rest", "--reason", "r", "--sources", sources}), 0)
      << told_;
  EXPECT_EQ(Changers(), 1);
}

}  // namespace patra::looking_test
