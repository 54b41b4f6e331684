// `patra eval`, as its users see it: output, messages and exit codes.
#include "adapter/cli/eval_command.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/time.h"
#include "tests/temporary_folder.h"

namespace patra::adapter::cli::eval_command_test {

using ::testing::HasSubstr;

class Eval : public ::testing::Test {
 protected:
  Console Given(const std::string& input) {
    in_.str(input);
    return {.out = out_, .err = err_, .in = in_};
  }

  std::string File(const std::string& content) {
    const auto path = folder_.Path("input");
    std::ofstream(path) << content;
    return path;
  }

  testing::TemporaryFolder folder_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  VirtualClock clock_{*ParseRfc3339("2026-03-28T12:00:00Z")};
};

TEST_F(Eval, JsonPathPrintsTheArrayOfSelectedValues) {
  EXPECT_EQ(RunEvalJsonPath({.expression = "$.a[*].b"},
                            Given(R"({"a":[{"b":"x\n"},{"b":[1,null,true]},{"b":2.5}]})")),
            0);
  EXPECT_EQ(out_.str(), "[\"x\\n\",[1,null,true],2.5]\n");
}

TEST_F(Eval, JsonPathKeepsTheOrderOfMembersAndEveryDigit) {
  const std::string document =
      R"({"z":18446744073709551615,"a":[9223372036854775807,1.5],"m":{"y":"é","b":null}})";
  EXPECT_EQ(RunEvalJsonPath({.expression = "$"}, Given(document)), 0);
  EXPECT_EQ(out_.str(), "[" + document + "]\n");
}

TEST_F(Eval, JsonPathThatSelectsNothingPrintsAnEmptyArray) {
  EXPECT_EQ(RunEvalJsonPath({.expression = "$.nothing"}, Given("{}")), 0);
  EXPECT_EQ(out_.str(), "[]\n");
}

TEST_F(Eval, JsonPathReadsAFile) {
  EXPECT_EQ(RunEvalJsonPath({.expression = "$.a", .file = File("{\"a\":1}")}, Given("")), 0);
  EXPECT_EQ(out_.str(), "[1]\n");
}

TEST_F(Eval, JsonPathShowsWhereValuesAre) {
  EXPECT_EQ(
      RunEvalJsonPath({.expression = "$..b", .locations = true}, Given(R"({"a":[{"b":1}],"b":2})")),
      0);
  EXPECT_EQ(out_.str(), "$['b']\n$['a'][0]['b']\n");
}

TEST_F(Eval, AWrongExpressionIsShownWithACaretUnderTheColumn) {
  EXPECT_EQ(RunEvalJsonPath({.expression = "$.é[1"}, Given("{}")), 78);
  EXPECT_THAT(err_.str(), HasSubstr("  $.é[1\n       ^\n"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Eval, UnreadableInputIsAFailureWithItsPosition) {
  EXPECT_EQ(RunEvalJsonPath({.expression = "$"}, Given("{\"a\":\n tru}")), 1);
  EXPECT_THAT(err_.str(), HasSubstr("standard input:2:"));
  EXPECT_EQ(RunEvalJsonPath({.expression = "$", .file = "/nonexistent"}, Given("")), 1);
  EXPECT_THAT(err_.str(), HasSubstr("/nonexistent"));
}

TEST_F(Eval, XPathPrintsTextsAndKnowsNamespaces) {
  EXPECT_EQ(RunEvalXPath({.expression = "//x:a", .namespaces = {{"x", "urn:n"}}},
                         Given("<r xmlns='urn:n'><a>1</a><a>2<i>!</i></a></r>")),
            0);
  EXPECT_EQ(out_.str(), "[\"1\",\"2!\"]\n");
}

TEST_F(Eval, XPathRefusesBrokenXmlWithItsPosition) {
  EXPECT_EQ(RunEvalXPath({.expression = "//a"}, Given("<r>\n<a></r>")), 1);
  EXPECT_THAT(err_.str(), HasSubstr("standard input:2:"));
  EXPECT_EQ(RunEvalXPath({.expression = "//a["}, Given("<r/>")), 78);
}

TEST_F(Eval, CanonicalWritesTheBytesAndNothingElse) {
  EXPECT_EQ(RunEvalCanonical("-", Given("{\"b\": 1.0, \"a\": [1e21]}\n")), 0);
  EXPECT_EQ(out_.str(), "{\"a\":[1e+21],\"b\":1}");
}

TEST_F(Eval, TemplateRendersFromTheContext) {
  const auto context = File(R"({"window":{"from":"2026-01-02T03:04:05Z"},"page":{"size":100}})");
  EXPECT_EQ(RunEvalTemplate({.text = "${window.from | formatDateTime('yyyy/MM/dd')},${page.size}",
                             .context_file = context},
                            clock_, Given("")),
            0);
  EXPECT_EQ(out_.str(), "2026/01/02,100\n");
}

TEST_F(Eval, TemplateSaysThatItIsOmitted) {
  EXPECT_EQ(
      RunEvalTemplate({.text = "${page.token}", .context_file = File("{}")}, clock_, Given("")), 0);
  EXPECT_EQ(out_.str(), "");
  EXPECT_THAT(err_.str(), HasSubstr("omitted"));
}

TEST_F(Eval, TemplateTakesNowFromTheCommandLine) {
  EXPECT_EQ(RunEvalTemplate({.text = "${now() | formatDateTime('yyyy')}", .now = "2031-01-01"},
                            clock_, Given("")),
            0);
  EXPECT_EQ(out_.str(), "2031\n");
}

TEST_F(Eval, TemplateSuggestsTheFunctionThatWasMeant) {
  EXPECT_EQ(RunEvalTemplate({.text = "${a | uper}"}, clock_, Given("")), 78);
  EXPECT_THAT(err_.str(), HasSubstr("upper"));
}

TEST_F(Eval, CronPrintsFiringsStrictlyAfterTheMomentOneALine) {
  EXPECT_EQ(RunEvalCron({.expression = "30 2 * * *",
                         .zone = "Europe/Berlin",
                         .from = "2026-03-28T01:30:00Z",
                         .count = 3},
                        clock_, Given("")),
            0);
  // On 29 March the clock jumps from 2:00 to 3:00: the skipped 2:30 fires right after the gap.
  EXPECT_EQ(out_.str(), "2026-03-29T01:00:00Z\n2026-03-30T00:30:00Z\n2026-03-31T00:30:00Z\n");
}

TEST_F(Eval, CronThatNeverFiresIsAFailure) {
  EXPECT_EQ(RunEvalCron({.expression = "0 0 30 2 *"}, clock_, Given("")), 1);
  EXPECT_EQ(RunEvalCron({.expression = "0 0 * *"}, clock_, Given("")), 78);
  EXPECT_EQ(RunEvalCron({.expression = "* * * * *", .zone = "Mars/Olympus"}, clock_, Given("")),
            78);
}

}  // namespace patra::adapter::cli::eval_command_test
