// Signals as the command line gives them: for records of endpoints that exist.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/heal_application.h"
#include "infra/sqlite/store.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

class Signalling : public ::testing::Test {
 protected:
  Signalling() { EXPECT_TRUE(infra::sqlite::Store::Open({.path = file_}, clock_)); }

  Result<bool> Signal(const std::string& target) {
    return healing_.AddSignal({.database = database_,
                               .sources_folder = PATRA_SOURCE_DIR "/sources",
                               .target = target,
                               .signal = {.item_id = "7", .type = "EXTERNAL", .origin = "test"}});
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.Path("patra.db");
  std::string database_ = fmt::format("sqlite:{}", file_);
  SystemClock clock_;
  boot::HealApplication healing_;
};

TEST_F(Signalling, IsForARecordOfAnEndpoint) {
  EXPECT_EQ(Signal("sim-rest/by-ids"), true);
  EXPECT_EQ(Signal("sim-rest/by-ids"), false) << "the same one waits already";
  const auto signals = healing_.ListSignals(database_, "OPEN", 10);
  ASSERT_TRUE(signals);
  ASSERT_EQ(signals->size(), 1u);
  EXPECT_EQ(signals->front().provenance, "sim-rest");
  EXPECT_EQ(signals->front().endpoint, "by-ids");
}

TEST_F(Signalling, IsRefusedWhereNobodyWouldEverFetchIt) {
  EXPECT_EQ(Signal("sim-rest").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(Signal("sim-rest/by-idss").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Signal("sim-reest/by-ids").error().hint, "did you mean 'sim-rest'?");
  EXPECT_TRUE(healing_.ListSignals(database_, "OPEN", 10)->empty());
}

}  // namespace
}  // namespace patra
