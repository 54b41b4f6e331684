// Which parameter a complaint is about, as providers word it.
#include "domain/error/wrong_parameter.h"

#include <gtest/gtest.h>

namespace patra::domain::wrong_parameter_test {

SpecSnapshot Source() {
  return {
      .http = {.query = {{"filter", "from-index-date:${window.from},until-index-date:${window.to}"},
                         {"rows", "${page.size}"},
                         {"page", "${page.number}"},
                         {"sort", "indexed"}}}};
}

struct Case {
  const char* complaint;
  const char* expected;
};

TEST(FindWrongParameter, NamesTheFieldThatTheProviderNames) {
  for (const auto& [complaint, expected] : {
           Case{R"({"message":[{"type":"validation-failure","value":"from-index-date"}]})",
                "from-index-date"},
           Case{"400: filter from-index-date:x is not supported", "from-index-date"},
           Case{"Invalid value for parameter rows: 100000", "rows"},
           Case{"unknown parameter 'sort'", "sort"},
           Case{"SORT parameter is wrong", "sort"},
           Case{"rows=0 is out of range", "rows"},
           Case{R"({"error":"`page` must be below 100"})", "page"},
           Case{R"({"error":"bad_request","message":"rows must be at least 1"})", "rows"},
       }) {
    EXPECT_EQ(FindWrongParameter(Source(), complaint), expected) << complaint;
  }
}

TEST(FindWrongParameter, IsNotTakenInByWordsThatHappenToBeNames) {
  for (const auto* complaint :
       {"", "<html><title>This page does not exist</title></html>", "404: not found",
        R"({"page":3,"rows":100,"message":"try again"})", "the webpage's sorting failed"}) {
    EXPECT_EQ(FindWrongParameter(Source(), complaint), "") << complaint;
  }
}

}  // namespace patra::domain::wrong_parameter_test
