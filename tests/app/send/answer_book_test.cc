#include "app/send/answer_book.h"

#include <gtest/gtest.h>

namespace patra::app::answer_book_test {

using namespace std::chrono_literals;

TEST(AnswerBook, KnowsTheSlowestAnswerOfEachEndpoint) {
  AnswerBook book;
  book.NoteAnswer("a", 3s);
  book.NoteAnswer("a", 1s);
  EXPECT_EQ(book.Find("a").slowest, 3s);
  EXPECT_EQ(book.Find("a").answers, 2);
  EXPECT_EQ(book.Find("b").answers, 0);
}

TEST(AnswerBook, RequestsThatWaitedAtTheSameTimeWaitedInVainOnce) {
  AnswerBook book;
  book.NoteSilence("a", 0s, 2s);
  book.NoteSilence("a", 1s, 3s);
  EXPECT_EQ(book.Find("a").in_vain, 1);
  book.NoteSilence("a", 4s, 6s);
  EXPECT_EQ(book.Find("a").in_vain, 2);
  book.NoteAnswer("a", 1s);
  EXPECT_EQ(book.Find("a").in_vain, 0);
}

}  // namespace patra::app::answer_book_test
