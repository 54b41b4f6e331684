// What a person meets who writes a definition: commands that say what is wrong with it, at once, and serve what is right.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "sim/simulator.h"
#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::definition_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class WritingADefinition : public ::testing::Test {
 protected:
  void SetUp() override {
    auto simulator = sim::Simulator::Start({.seed = 3,
                                            .size = 200,
                                            .providers = {"rest"},
                                            .begin = clock_.Now() - std::chrono::days(100),
                                            .now = clock_.Now(),
                                            .enforce_limits = false});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
  }

  void Write(const std::string& items, const std::string& more = "") {
    std::ofstream(folder_.Path("mine.yaml")) << fmt::format(
        R"(source: mine
http: {{base_url: "{}", allow_http: true}}
limits: [{{rate: 1000/s, page: "https://mine.example/limits"}}]
default: items
endpoints:
  items:
    request: {{path: /rest/page/items, query: {{page: "${{page.number}}", size: "${{page.size}}"}}}}
    paging: {{style: page, first_page: 1}}
    window: {{filter: none}}
    order: {{by: updated, direction: asc, stable: true}}
    response: {{items: {}, id: $.id, updated: $.updated, total: $.total}}
    fields: {{title: $.title}}
{})",
        simulator_->url(), items, more);
  }

  testing::CommandAnswer Run(std::vector<std::string> words) {
    words.insert(words.end(), {"--sources", folder_.Path("")});
    return testing::RunPatra(application_, clock_, stores_.At(folder_.Path("patra.db")),
                             std::move(words));
  }
  testing::CommandAnswer Harvest(const std::string& target) {
    return Run({"harvest", target, "--allow-loopback"});
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::unique_ptr<sim::Simulator> simulator_;
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(WritingADefinition, APathThatFindsNothingFailsAtOnceAndSaysWhatIsThere) {
  Write("$.itmes");
  const auto wrong = Harvest("mine");
  EXPECT_EQ(wrong.code, 78) << wrong.out << wrong.err;
  EXPECT_THAT(wrong.err,
              AllOf(HasSubstr("no list at $.itmes"), HasSubstr("did you mean 'items'?")));
  EXPECT_THAT(wrong.out, HasSubstr("1 failed"));
  Write("$.items");
  const auto right = Harvest("mine");
  EXPECT_EQ(right.code, 0) << right.out << right.err;
}

TEST_F(WritingADefinition, OneBadEndpointOrFileDoesNotHideTheOthers) {
  Write("$.items", R"(  bad:
    request: {path: /rest/page/items, query: {page: "${page.nubmer}"}}
    paging: {style: page, first_page: 1}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)");
  std::ofstream(folder_.Path("broken.yaml")) << "source: broken\nhttp:\n\tbase_url: x\n";
  EXPECT_EQ(Harvest("mine").code, 0);
  const auto bad = Harvest("mine/bad");
  EXPECT_EQ(bad.code, 78);
  EXPECT_THAT(bad.err, HasSubstr("did you mean 'page.number'?"));
  for (const auto* option : {"--dry-run", "--again"}) {
    const auto broken = Run({"harvest", "broken", option});
    EXPECT_EQ(broken.code, 78);
    EXPECT_THAT(broken.err, AllOf(HasSubstr("tab"), Not(HasSubstr("there are no definitions"))));
  }
  const auto unknown = Harvest("meine");
  EXPECT_EQ(unknown.code, 78);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'mine'?"));
}

TEST_F(WritingADefinition, CommandsAboutAnUnknownSourceSuggestOne) {
  Write("$.items");
  for (const auto* command : {"show", "test", "check"}) {
    const auto answer = Run({"source", command, "mien"});
    EXPECT_EQ(answer.code, 78) << command;
    EXPECT_THAT(answer.err, HasSubstr("did you mean 'mine'?")) << command;
  }
}

TEST_F(WritingADefinition, FindingsAreForMachinesToo) {
  Write("$.items", "  other: {role: serch}\n");
  const auto answer = Run({"source", "check", "--json"});
  EXPECT_EQ(answer.code, 78);
  std::istringstream lines(answer.out);
  std::string line;
  bool is_found = false;
  while (std::getline(lines, line)) {
    const auto finding = ParseJson(line);
    ASSERT_TRUE(finding) << line;
    for (const auto* name : {"file", "line", "path", "severity", "message", "fix"})
      EXPECT_NE(finding->Find(name), nullptr) << line;
    is_found = is_found || (*finding->Find("path") == Value("/endpoints/other/role") &&
                            *finding->Find("severity") == Value("error") &&
                            *finding->Find("line")->AsInteger() == 13);
  }
  EXPECT_TRUE(is_found) << answer.out;
}

}  // namespace patra::definition_test
