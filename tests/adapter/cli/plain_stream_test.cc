#include "adapter/cli/plain_stream.h"

#include <sstream>

#include <gtest/gtest.h>

#include "domain/word/step.h"

namespace patra::adapter::cli::plain_stream_test {

std::string Through(std::string_view text, std::size_t bytes_at_once) {
  std::ostringstream target;
  {
    PlainStream stream(target);
    for (std::size_t at = 0; at < text.size(); at += bytes_at_once)
      stream << text.substr(at, bytes_at_once);
  }
  return target.str();
}

TEST(PlainStream, SaysWhatToTypeHoweverTheStepIsCutIntoPieces) {
  const std::string text = "…see `‹fuse.reset a/b›`, ‹Zitat›, ‹wish.gaps›\x1b\nand ‹wish.";
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    EXPECT_EQ(Through(text, bytes),
              "…see `patra fuse reset a/b --reason WHAT-WAS-DONE`, ‹Zitat›, --gaps\\u001b\nand "
              "‹wish.")
        << bytes;
  }
}

TEST(PlainStream, HoldsNothingBackForABracketThatNeverCloses) {
  std::ostringstream target;
  PlainStream stream(target);
  stream << "a ‹b c\n";
  EXPECT_EQ(target.str(), "a ‹b c\n") << "a line's end is no part of a mark";
  const std::string longer = "‹" + std::string(domain::kStepBytesMax, 'x');
  stream << longer;
  EXPECT_EQ(target.str(), "a ‹b c\n" + longer);
}

TEST(PlainStream, KeepsJsonWhatItIs) {
  const auto odd = domain::NextStep("gate.reset", {"it's"});
  EXPECT_EQ(Through("{\"hint\":\"" + odd + "\"}", 7), "{\"hint\":\"" + odd + "\"}")
      << "a shell's backslash is none of JSON";
  EXPECT_EQ(Through(R"({"hint":"‹gate.reset a%20b›"})", 7),
            R"({"hint":"patra gate reset 'a b' --reason WHY"})");
}

}  // namespace patra::adapter::cli::plain_stream_test
