// A project folder, a store that is named by its file, and a demo that goes on.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"

namespace patra::project_test {

using ::testing::HasSubstr;

class Project : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.Path("project"));
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.Path("project"));
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  testing::CommandAnswer Run(std::vector<std::string> words) {
    words.insert(words.begin(), "patra");
    std::vector<const char*> argv;
    for (const auto& word : words) argv.push_back(word.c_str());
    std::istringstream in;
    std::ostringstream out, err;
    const int code =
        adapter::cli::RunCommandLine(static_cast<int>(argv.size()), argv.data(), application_,
                                     clock_, {.out = out, .err = err, .in = in});
    return {code, out.str(), err.str()};
  }

  static void Write(const std::string& text) { std::ofstream("patra.yaml") << text; }

  testing::TemporaryFolder folder_;
  std::filesystem::path before_;
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(Project, TheExampleOfANewOneIsAccepted) {
  EXPECT_EQ(Run({"init"}).code, 0);
  const auto check = Run({"source", "check"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("1 definition, 1 endpoint: 0 problems"));
  const auto shown = Run({"config", "show"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("patra.yaml:4"));
}

TEST_F(Project, EverySettingOfTheNewConfigurationIsOneThatExists) {
  ASSERT_EQ(Run({"init"}).code, 0);
  std::ifstream file("patra.yaml");
  std::string text;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    // The first lines are for people.
    if (++number > 3 && line.starts_with("# ")) line.erase(0, 2);
    text += line + "\n";
  }
  Write(text);
  const auto shown = Run({"config", "show"});
  EXPECT_EQ(shown.code, 0) << text << shown.err;
}

// Two gates would let twice as much through, and two locks let two processes fold the log in at once.
TEST_F(Project, WhoComesByALinkSharesAllThatLiesBesideTheStore) {
  ASSERT_EQ(Run({"db", "migrate", "--db", "real.db"}).code, 0);
  std::filesystem::create_symlink("real.db", "link.db");
  EXPECT_EQ(Run({"gate", "list", "--db", "link.db"}).code, 0);
  std::ofstream("real.db-gate") << "somebody's diary";
  EXPECT_THAT(Run({"gate", "list", "--db", "link.db"}).err, HasSubstr("real.db-gate"));
  for (const auto& entry : std::filesystem::directory_iterator("."))
    EXPECT_FALSE(entry.path().filename().string().starts_with("link.db-")) << entry.path();
}

TEST_F(Project, AfterEveryCommandAStoreIsOneFile) {
  ASSERT_EQ(Run({"demo", "--db", "real.db", "--records", "200"}).code, 0);
  const std::vector<std::vector<std::string>> commands{
      {"status"},
      {"gate", "list"},
      {"items", "list"},
      {"verify", "demo"},
      {"db", "check"},
      {"db", "migrate"},
      {"db", "backup", "copy.db"},
      {"heal", "run"},
      {"source", "pause", "demo", "--reason", "test"}};
  for (auto words : commands) {
    words.insert(words.end(), {"--db", "real.db"});
    Run(words);
    for (const auto& entry : std::filesystem::directory_iterator("."))
      EXPECT_FALSE(entry.path().filename().string().starts_with("real.db-"))
          << entry.path() << " after " << words[0];
  }
  std::filesystem::copy_file("real.db", "elsewhere.db");
  EXPECT_THAT(Run({"items", "list", "--db", "elsewhere.db"}).out, HasSubstr("demo/items"));
}

TEST_F(Project, AStoreWithTwoNamesIsRefused) {
  ASSERT_EQ(Run({"db", "migrate", "--db", "real.db"}).code, 0);
  std::filesystem::create_hard_link("real.db", "second.db");
  const auto refused = Run({"status", "--db", "second.db"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("second name"));
}

TEST_F(Project, PasswordsInAddressesAreShownToNobody) {
  Write(
      "database: mysql://patra:hushhush@127.0.0.1:1/patra\ngate: {url: "
      "'redis://:hushhush@h:1/0'}\n");
  for (const auto& words :
       {std::vector<std::string>{"config", "show"},
        std::vector<std::string>{"config", "show", "--json"}, std::vector<std::string>{"status"}}) {
    const auto answer = Run(words);
    EXPECT_EQ((answer.out + answer.err).find("hushhush"), std::string::npos)
        << answer.out << answer.err;
  }
}

TEST_F(Project, APasswordFileThatIsNotThereIsSaid) {
  setenv("PATRA_DATABASE_PASSWORD_FILE", "/nowhere/at/all", 1);  // NOLINT(concurrency-mt-unsafe)
  const auto refused = Run({"status", "--db", "mysql://patra@127.0.0.1:1/patra"});
  unsetenv("PATRA_DATABASE_PASSWORD_FILE");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(refused.code, 78);
  EXPECT_THAT(refused.err, HasSubstr("PATRA_DATABASE_PASSWORD_FILE names /nowhere/at/all"));
}

TEST_F(Project, AFolderOrATextIsNoStoreAndSaysSo) {
  std::filesystem::create_directory("folder");
  const auto folder = Run({"status", "--db", "folder"});
  EXPECT_NE(folder.code, 0);
  EXPECT_THAT(folder.err, HasSubstr("is a folder"));
  std::ofstream("notes.txt") << std::string(2'000, 'n');
  const auto text = Run({"status", "--db", "notes.txt"});
  EXPECT_NE(text.code, 0);
  EXPECT_THAT(text.err, HasSubstr("no store"));
}

TEST_F(Project, TheConfigurationSaysWhereTheStoreIs) {
  Write("database: mine.db\nlog: {level: error, format: json}\nplan: {tries_max: 7}\n");
  EXPECT_EQ(Run({"db", "migrate"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists("mine.db"));
  const auto shown = Run({"config", "show", "--json"});
  EXPECT_THAT(shown.out, HasSubstr(R"("from":"patra.yaml:3","meaning":)"));
  EXPECT_THAT(shown.out, HasSubstr(R"("name":"plan.tries_max","value":"7")"));
  EXPECT_EQ(Run({"db", "migrate", "--db", "other.db"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists("other.db"));
  // From elsewhere, what the file names lies beside it.
  std::filesystem::current_path(folder_.Path("."));
  EXPECT_EQ(Run({"db", "check", "--config", "project/patra.yaml"}).code, 0);
}

TEST_F(Project, WhatTheConfigurationHasWrongIsToldWithItsLine) {
  Write("database: mine.db\nlog:\n  levle: warn\n");
  const auto status = Run({"status"});
  EXPECT_EQ(status.code, 78);
  EXPECT_THAT(status.err, HasSubstr("patra.yaml:3"));
  EXPECT_THAT(status.err, HasSubstr("did you mean 'level'?"));
  Write("sources: nowhere\n");
  EXPECT_THAT(Run({"source", "list"}).err, HasSubstr("there is no folder nowhere"));
  Write("log: {level: loud}\n");
  EXPECT_EQ(Run({"config", "show"}).code, 78);
}

TEST_F(Project, AStoreIsAFileWithOrWithoutItsScheme) {
  EXPECT_EQ(Run({"db", "migrate", "--db", "plain.db"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists("plain.db"));
  EXPECT_EQ(Run({"db", "check", "--db", "sqlite:plain.db"}).code, 0);
  const auto other = Run({"db", "check", "--db", "postgres://host/patra"});
  EXPECT_EQ(other.code, 78);
  EXPECT_THAT(other.err, HasSubstr("a store is a file"));
}

TEST_F(Project, ASecondDemoGoesOnInTheWorldOfTheFirst) {
  const auto first = Run({"demo", "--db", "demo.db", "--records", "800"});
  EXPECT_EQ(first.code, 0) << first.err;
  for (int again = 0; again < 2; ++again) {
    const auto next = Run({"demo", "--db", "demo.db"});
    EXPECT_EQ(next.code, 0) << next.out << next.err;
    EXPECT_THAT(next.out, HasSubstr("another week"));
    EXPECT_THAT(next.out, HasSubstr("0 are missing here, 0 are wrong"));
  }
  const auto other = Run({"demo", "--db", "demo.db", "--records", "900"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("a demo of 800 records"));
}

TEST_F(Project, WhatNobodyKnowsIsAnErrorAndNotAnEmptyList) {
  ASSERT_EQ(Run({"demo", "--db", "demo.db", "--records", "300"}).code, 0);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"items", "list", "--source", "deom"},
           {"items", "list", "--source", "demo", "--endpoint", "itesm"},
           {"items", "export", "--fields", "titel"},
           {"task", "list", "--source", "deom"},
           {"task", "list", "--status", "faild"},
           {"quarantine", "list", "--source", "deom"},
           {"heal", "log", "--source", "deom"},
           {"verify", "deom"}}) {
    auto line = words;
    line.insert(line.end(), {"--db", "demo.db"});
    const auto answer = Run(line);
    EXPECT_EQ(answer.code, 78) << words[0] << " " << words[1] << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("did you mean"));
  }
  EXPECT_EQ(Run({"items", "list", "--source", "demo", "--db", "demo.db"}).code, 0);
  const auto wish =
      Run({"harvest", "demo", "--db", "demo.db", "--dry-run", "--set", "htpp.base_url=x"});
  EXPECT_EQ(wish.code, 78);
  EXPECT_THAT(wish.err, HasSubstr("did you mean 'http'?"));
}

}  // namespace patra::project_test
