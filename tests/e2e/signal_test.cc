// Signals as the command line gives them: for records of endpoints that exist.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/open_desk.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::signal_test {

class Signalling : public ::testing::Test {
 protected:
  Signalling() { EXPECT_TRUE(boot::OpenDesk({.database = database_, .makes = true})); }

  Result<bool> Signal(const std::string& target) {
    const auto desk = boot::OpenDesk(
        {.database = database_, .sources_folder = PATRA_SOURCE_DIR "/sources", .changes = true});
    EXPECT_TRUE(desk) << desk.error().Describe();
    return (*desk)->signals().Add(target, {.item_id = "7", .type = "EXTERNAL", .origin = "test"});
  }
  std::vector<domain::Signal> Waiting() {
    return (*boot::OpenDesk({.database = database_}))->signals().List("OPEN", 10).value();
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::string database_ = stores_.At(folder_.Path("patra.db"));
};

TEST_F(Signalling, IsForARecordOfAnEndpoint) {
  EXPECT_EQ(Signal("sim-rest/by-ids"), true);
  EXPECT_EQ(Signal("sim-rest/by-ids"), false) << "the same one waits already";
  const auto signals = Waiting();
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals.front().provenance, "sim-rest");
  EXPECT_EQ(signals.front().endpoint, "by-ids");
}

TEST_F(Signalling, IsRefusedWhereNobodyWouldEverFetchIt) {
  EXPECT_EQ(Signal("sim-rest").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(Signal("sim-rest/by-idss").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Signal("sim-reest/by-ids").error().hint, "did you mean 'sim-rest'?");
  EXPECT_TRUE(Waiting().empty());
}

}  // namespace patra::signal_test
