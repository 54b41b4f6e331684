#include "base/partial_date.h"

#include <gtest/gtest.h>

namespace patra::partial_date_test {

std::string Reprinted(std::string_view text) {
  const auto date = PartialDate::Parse(text);
  return date ? date->Print() : "error: " + date.error().Describe();
}

TEST(PartialDate, IsAsPreciseAsTheText) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2020", "2020"},
      {"0001", "0001"},
      {"2020-05", "2020-05"},
      {"2020/5", "2020-05"},
      {"2020/5/7", "2020-05-07"},
      {"2020-05-07", "2020-05-07"},
      {"20200507", "2020-05-07"},
      {"2020 May", "2020-05"},
      {"2020 may", "2020-05"},
      {"2020 September", "2020-09"},
      {"2020 May 7", "2020-05-07"},
      {" 2020 ", "2020"},
      {"2020-02-29", "2020-02-29"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Reprinted(text), expected) << text;
}

TEST(PartialDate, TakesTheBeginningOfAPeriodAndTheYearOfASeason) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2020 May-Jun", "2020-05"},
      {"1998 Dec-1999 Jan", "1998-12"},
      {"1998 Dec-1999", "1998-12"},
      {"2020 May 7-14", "2020-05-07"},
      {"2020 May 28-Jun 3", "2020-05-28"},
      {"1999-2000", "1999"},
      {"2020 Spring", "2020"},
      {"2020 winter", "2020"},
      {"2020 Spring-Summer", "2020"},
      {"2000 Dec 30-2001 Jan 5", "2000-12-30"},
      {"1999 Winter-2000 Spring", "1999"},
      {"2020 May - Jun", "2020-05"},
      {"2020 Jan/Feb", "2020-01"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Reprinted(text), expected) << text;
}

TEST(PartialDate, RefusesWhatIsNoDate) {
  for (const auto* text : {"",
                           "20",
                           "20200",
                           "202005",
                           "2020-",
                           "2020-13",
                           "2020-00",
                           "2020-02-30",
                           "2019-02-29",
                           "2020-05-",
                           "2020-05-07T00:00:00Z",
                           "2020-05/07",
                           "May 2020",
                           "2020 Maybe",
                           "2020 May 32",
                           "2020 May x",
                           "0000",
                           "2020 May-",
                           "2020 May-Xyz",
                           "2020 Q1",
                           "-2020",
                           "2020-5-7-1",
                           "2020  May",
                           "2020May",
                           "2020050",
                           "202013 1"}) {
    const auto date = PartialDate::Parse(text);
    ASSERT_FALSE(date) << text;
    EXPECT_EQ(date.error().code, ErrorCode::kInvalidInput);
    EXPECT_FALSE(date.error().hint.empty());
  }
}

std::string FromJson(std::string_view json) {
  const auto date = PartialDate::From(ParseJson(json).value());
  if (!date) return "error";
  return *date ? (*date)->Print() : "none";
}

TEST(PartialDate, ReadsDateParts) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"[2020,5,7]", "2020-05-07"},
      {"[2020,5]", "2020-05"},
      {"[2020]", "2020"},
      {"[[2020,5,7]]", "2020-05-07"},
      {"[\"2020\",\"05\"]", "2020-05"},
      {"2020", "2020"},
      {"\"2020 May\"", "2020-05"},
      {"[2020,5,null]", "2020-05"},
      {"[2020,null,null]", "2020"},
      {"[2020.0]", "2020"},
  };
  for (const auto& [json, expected] : cases) EXPECT_EQ(FromJson(json), expected) << json;
}

TEST(PartialDate, KnowsHowProvidersSayThatThereIsNone) {
  for (const auto* json : {"null", "[]", "[null]", "[[null]]", "[[]]"}) {
    EXPECT_EQ(FromJson(json), "none") << json;
  }
}

TEST(PartialDate, RefusesPartsThatMakeNoDate) {
  for (const auto* json : {"[2020,13]", "[2020,2,30]", "[2020,null,7]", "[2020,5,7,1]", "{}",
                           "true", "[0]", "[2020.5]", "[1e300]", "[-1]", "[true]", "\"x\"",
                           "[[2020],[2021]]", "[[[2020]]]", "99999"}) {
    EXPECT_EQ(FromJson(json), "error") << json;
  }
}

TEST(PartialDate, BeginsAtItsEarliestMoment) {
  EXPECT_EQ(FormatRfc3339(PartialDate::Parse("2020")->Earliest()), "2020-01-01T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(PartialDate::Parse("2020-05")->Earliest()), "2020-05-01T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(PartialDate::Parse("2020-05-07")->Earliest()), "2020-05-07T00:00:00Z");
}

TEST(PartialDate, SortsByTimeAndTheLessPreciseFirst) {
  const auto date = [](std::string_view text) { return PartialDate::Parse(text).value(); };
  EXPECT_LT(date("2019-12-31"), date("2020"));
  EXPECT_LT(date("2020"), date("2020-01"));
  EXPECT_LT(date("2020-01"), date("2020-01-01"));
  EXPECT_LT(date("2020-01-31"), date("2020-02"));
}

}  // namespace patra::partial_date_test
