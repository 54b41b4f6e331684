// What whoever runs a service hears of a store that is slow.
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boot/engine.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::slow_statements_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class SlowStore : public ::testing::Test {
 protected:
  // Opens a store and asks something of it.
  void AskWith(Duration slow_statement) {
    const auto engine = boot::Engine::Open({.database = stores_.At(folder_.Path("patra.db")),
                                            .log = {.print =
                                                        [this](std::string_view line) {
                                                          const std::lock_guard lock(mutex_);
                                                          lines_.emplace_back(line);
                                                        }},
                                            .slow_statement = slow_statement},
                                           clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    ASSERT_TRUE((*engine)->store().queue().RescueExpired());
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  SystemClock clock_;
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST_F(SlowStore, StatementsThatTakeLongAreLogged) {
  AskWith(Duration(1));
  EXPECT_THAT(lines_, Contains(::testing::AllOf(HasSubstr(R"("event":"store.slow_statement")"),
                                                HasSubstr("ing_task"))));
}

TEST_F(SlowStore, NoneAreWhereThatIsSwitchedOff) {
  AskWith(Duration(0));
  EXPECT_THAT(lines_, Not(Contains(HasSubstr("store.slow_statement"))));
}

}  // namespace patra::slow_statements_test
