#include "app/heal/acted_details.h"

#include <gtest/gtest.h>

namespace patra::app::acted_details_test {

TEST(ActedDetails, TellWhatWasDoneByItsNameAndWhatItWasDecidedBy) {
  const auto told = ActedDetails(
      {.lane = {"crossref", "works", domain::Operation::kHarvest},
       .saw = R"({"throttled":9})",
       .did = R"({"action":"SLOW_DOWN","amount":0.5,"reason":"many 429s","slice":"7"})",
       .result = "no more than 50 % of the rate"});
  EXPECT_EQ(told.at("did"), Value("SLOW_DOWN")) << "a label of a metric: no ids, no numbers";
  EXPECT_EQ(told.at("why"), Value("many 429s"));
  EXPECT_EQ(told.at("amount"), Value(0.5));
  EXPECT_TRUE(told.at("span").is_null());
  EXPECT_EQ(told.at("saw"), Value(R"({"throttled":9})"));
  EXPECT_EQ(told.at("source"), Value("crossref"));
}

TEST(ActedDetails, AnActionThatCannotBeReadIsToldWithoutAName) {
  EXPECT_TRUE(ActedDetails({.did = "?"}).at("did").is_null());
}

}  // namespace patra::app::acted_details_test
