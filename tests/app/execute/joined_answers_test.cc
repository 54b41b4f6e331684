#include "app/execute/joined_answers.h"

#include <gtest/gtest.h>

namespace patra::app::joined_answers_test {

HttpResponse Answer(const std::string& type, const std::string& body) {
  HttpResponse answer;
  answer.content_type = type;
  answer.body = body;
  return answer;
}

TEST(JoinedAnswers, ComeApartAsTheyWere) {
  const std::vector<HttpResponse> answers{Answer("application/json", R"({"a":1})"),
                                          Answer("text/xml; charset=utf-8", ""),
                                          Answer("text/plain", "\r\n--part-\r\n\r\n--\r\n")};
  HttpResponse whole;
  whole.status = 207;
  JoinAnswers(answers, whole);
  const auto parts = SplitAnswers(whole);
  ASSERT_EQ(parts.size(), 3u);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].content_type, answers[i].content_type);
    EXPECT_EQ(parts[i].body, answers[i].body);
    EXPECT_EQ(parts[i].status, 207);
  }
}

TEST(JoinedAnswers, OneAloneStaysAsItIs) {
  HttpResponse whole;
  JoinAnswers({Answer("application/json", "{}")}, whole);
  EXPECT_EQ(whole.content_type, "application/json");
  const auto parts = SplitAnswers(whole);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts.front().body, "{}");
}

TEST(JoinedAnswers, WhatIsCutOffGivesWhatIsWhole) {
  HttpResponse whole;
  JoinAnswers({Answer("a/b", "one"), Answer("a/b", "two")}, whole);
  whole.body.resize(whole.body.rfind("two"));
  EXPECT_EQ(SplitAnswers(whole).size(), 1u);
  whole.body.clear();
  EXPECT_TRUE(SplitAnswers(whole).empty());
}

}  // namespace patra::app::joined_answers_test
