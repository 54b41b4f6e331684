#include "base/result.h"

#include <gtest/gtest.h>

namespace patra::result_test {

Result<int> Half(int number) {
  if (number % 2 != 0) return Fail(ErrorCode::kInvalidInput, "odd");
  return number / 2;
}

Result<int> Quarter(int number) { return PATRA_TRY(Half(PATRA_TRY(Half(number)))); }

Result<void> CheckEven(int number) {
  (void)PATRA_TRY(Half(number));
  return {};
}

Result<int> CheckThenHalf(int number) {
  PATRA_TRY(CheckEven(number));
  return PATRA_TRY(Half(number));
}

TEST(Try, YieldsTheValueOrReturnsTheError) {
  EXPECT_EQ(Quarter(8), 2);
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_EQ(CheckThenHalf(4), 2);
  EXPECT_FALSE(CheckThenHalf(3));
}

TEST(Error, DescribesPlaceMessageAndHintInOneLine) {
  const auto error =
      Error{ErrorCode::kInvalidInput, "unknown key 'pagin'"}
          .At({.file = "crossref.yaml", .line = 12, .column = 5, .pointer = "/endpoints/works"})
          .Hint("did you mean 'paging'?");
  EXPECT_EQ(error.Describe(),
            "crossref.yaml:12:5 (/endpoints/works): unknown key 'pagin' (did you mean 'paging'?)");
}

TEST(Error, WhileSaysWhatWasBeingDone) {
  EXPECT_EQ((Error{ErrorCode::kUnavailable, "connection reset"}.While("reading page 3").message),
            "reading page 3: connection reset");
}

TEST(Place, OfAnOffsetCountsLinesAndBytesFromOne) {
  const std::string_view text = "ab\ncd\n";
  EXPECT_EQ(PlaceOfOffset(text, 0), (Place{.line = 1, .column = 1}));
  EXPECT_EQ(PlaceOfOffset(text, 1), (Place{.line = 1, .column = 2}));
  EXPECT_EQ(PlaceOfOffset(text, 3), (Place{.line = 2, .column = 1}));
  EXPECT_EQ(PlaceOfOffset(text, 99), (Place{.line = 3, .column = 1}));
}

TEST(Place, DescribesOnlyWhatIsKnown) {
  EXPECT_EQ((Place{.line = 3, .column = 7}.Describe()), "line 3:7");
  EXPECT_EQ((Place{.column = 7}.Describe()), "column 7");
  EXPECT_EQ((Place{.pointer = "/a/0"}.Describe()), "/a/0");
  EXPECT_TRUE(Place{}.empty());
}

}  // namespace patra::result_test
