#include "app/execute/failure_code.h"

#include <set>

#include <gtest/gtest.h>

namespace patra::app::failure_code_test {

TEST(FailureCode, EveryFailureHasOneOfItsOwnAndWhatIsNoneHasNone) {
  using enum NoPage::Kind;
  std::set<std::string_view> codes;
  for (const auto kind : {kExhausted, kWrong, kFatal, kStartOver, kTooLarge, kIsolated, kUnproven,
                          kGap, kEarly, kFailing}) {
    EXPECT_NE(FailureCode(kind), "NONE");
    EXPECT_TRUE(codes.insert(FailureCode(kind)).second) << FailureCode(kind);
  }
  for (const auto kind : {kParked, kStopped, kSpent}) EXPECT_EQ(FailureCode(kind), "NONE");
}

}  // namespace patra::app::failure_code_test
