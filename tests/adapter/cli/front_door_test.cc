// What somebody meets who does not know the commands yet.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/command_line.h"
#include "base/utf8.h"
#include "tests/adapter/cli/fake_services.h"
#include "tests/temporary_folder.h"

namespace patra::adapter::cli::front_door_test {

using ::testing::HasSubstr;
using ::testing::Not;

class FrontDoor : public ::testing::Test {
 protected:
  int Run(const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"patra"};
    for (const auto& word : words) arguments.push_back(word.c_str());
    out_.str("");
    err_.str("");
    return RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), services_, clock_,
                          {.out = out_, .err = err_, .in = in_});
  }

  // The words of an example, as a shell divides them.
  static std::vector<std::string> Words(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool is_quoted = false;
    bool has_begun = false;
    for (const char c : line) {
      if (c == '\'') {
        is_quoted = !is_quoted;
        has_begun = true;
      } else if (c == ' ' && !is_quoted) {
        if (has_begun) words.push_back(std::exchange(word, {}));
        has_begun = false;
      } else {
        word += c;
        has_begun = true;
      }
    }
    if (has_begun) words.push_back(word);
    return words;
  }

  FakeServices services_;
  SystemClock clock_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(FrontDoor, AMistypedCommandIsAUsageErrorWithTheOneThatIsMeant) {
  EXPECT_EQ(Run({"hravest"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `harvest`?"));
  EXPECT_EQ(Run({"task", "lits"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `list`?"));
  EXPECT_THAT(err_.str(), HasSubstr("`patra help task` tells more"));
  EXPECT_EQ(Run({"--db", "x.db", "statsu"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `status`?"));
  EXPECT_EQ(Run({"preview", "crossref"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `source preview`?"));
  EXPECT_EQ(Run({"hravest", "--help"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `harvest`?"));
}

TEST_F(FrontDoor, AMistypedOptionIsAUsageErrorWithTheOneThatIsMeant) {
  EXPECT_EQ(Run({"harvest", "crossref", "--form", "-7d"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `--from`?"));
  EXPECT_EQ(Run({"task", "list", "--stauts=failed"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `--status`?"));
  EXPECT_EQ(Run({"status", "--quite"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `--quiet`?"));
  EXPECT_EQ(Run({"status", "--log-level", "warm"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'warn'?"));
  EXPECT_EQ(Run({"task", "list", "--operation", "harvset"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'harvest'?"));
  EXPECT_EQ(Run({"items", "export", "--output", "x"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `--out`?"));
}

TEST_F(FrontDoor, WhatIsMissingIsNamed) {
  EXPECT_EQ(Run({"harvest"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("SOURCE is required"));
  EXPECT_THAT(err_.str(), HasSubstr("`patra help harvest` tells more"));
  EXPECT_EQ(Run({"plan"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("timeline"));
  EXPECT_EQ(Run({}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("quarantine"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(FrontDoor, HelpIsTheSameInBothWays) {
  EXPECT_EQ(Run({"help", "harvest"}), 0);
  const auto asked = out_.str();
  EXPECT_EQ(Run({"harvest", "--help"}), 0);
  EXPECT_EQ(out_.str(), asked);
  EXPECT_THAT(asked, HasSubstr("Exit codes:"));
  EXPECT_THAT(asked, HasSubstr("Examples:\n  patra harvest crossref/works"));
  EXPECT_EQ(Run({"help", "task", "list"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("Usage: patra task list [OPTIONS]"));
  EXPECT_EQ(Run({"help"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("Usage: patra COMMAND"));
  EXPECT_EQ(Run({"help", "hravest"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `harvest`?"));
  EXPECT_EQ(Run({"help", "task", "lits"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean `list`?"));
}

TEST_F(FrontDoor, HelpFitsTheWidthOfEightyColumns) {
  for (const auto& command : {"", "harvest", "verify", "replay", "quarantine"}) {
    Run({"help", command});
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(CountCharacters(line), 80U) << line;
  }
}

// All pages of the manual, by the commands that they are about.
std::map<std::string, std::string> PagesIn(const std::string& folder) {
  std::map<std::string, std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    pages[entry.path().stem().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return pages;
}

TEST_F(FrontDoor, EveryCommandHasAPageWithAnExampleThatCanBeTyped) {
  testing::TemporaryFolder folder;
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.Path("."));
  EXPECT_EQ(Run({"manual", "--into", "pages"}), 0) << err_.str();
  const auto pages = PagesIn("pages");
  EXPECT_GT(pages.size(), 80U);
  for (const auto& [command, page] : pages) {
    EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS"));
    if (page.find(".SH \"COMMANDS\"") != std::string::npos) continue;
    ASSERT_THAT(page, HasSubstr(".SH EXAMPLES")) << command;
    auto name = command == "patra" ? "" : command.substr(6);
    std::vector<std::string> asks{"help"};
    for (const auto& family :
         {"plan",   "slice",      "task",     "run",    "batch",  "cursor", "items",
          "heal",   "source",     "db",       "fuse",   "signal", "gate",   "schedule",
          "alerts", "quarantine", "registry", "config", "token",  "eval",   "audit"}) {
      if (name.starts_with(std::string(family) + "-")) {
        asks.emplace_back(family);
        name = name.substr(std::string_view(family).size() + 1);
        break;
      }
    }
    if (!name.empty()) asks.push_back(name);
    ASSERT_EQ(Run(asks), 0) << command;
    std::istringstream help(out_.str().substr(out_.str().find("Examples:\n")));
    std::vector<std::string> examples;
    for (std::string line; std::getline(help, line);) {
      if (line.starts_with("  patra ") && line.find_first_of("|>") == std::string::npos)
        examples.push_back(line.substr(2));
    }
    for (const auto& example : examples) {
      auto words = Words(example);
      words.erase(words.begin());
      EXPECT_NE(Run(words), 2) << example << "\n" << err_.str();
    }
  }
  std::filesystem::current_path(here);
}

TEST_F(FrontDoor, TheManualIsMadeOfTheHelp) {
  EXPECT_EQ(Run({"manual", "verify"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr(".TH PATRA\\-VERIFY 1"));
  EXPECT_THAT(out_.str(), HasSubstr("\\fB\\-\\-repair\\fR\nPlan exactly what is missing\n"));
  EXPECT_THAT(out_.str(), HasSubstr(".SH \"EXIT STATUS\""));
  EXPECT_EQ(Run({"manual", "verfy"}), 2);
}

TEST_F(FrontDoor, AShellIsOfferedWhatMayComeNext) {
  Run({"__complete", "har"});
  EXPECT_EQ(out_.str(), "harvest\tFrom the watermark to now: what is new and changed\n");
  Run({"__complete", "task", ""});
  EXPECT_THAT(out_.str(), HasSubstr("list\t"));
  EXPECT_THAT(out_.str(), HasSubstr("requeue\t"));
  Run({"__complete", "--db", "x.db", "task", "list", "--st"});
  EXPECT_THAT(out_.str(), HasSubstr("--status\t"));
  Run({"__complete", "status", "--log-level", "w"});
  EXPECT_EQ(out_.str(), "warn\n");
  Run({"__complete", "harvest", "d"});
  EXPECT_EQ(out_.str(), "demo\n");
  Run({"__complete", "items", "list", "--source", ""});
  EXPECT_EQ(out_.str(), "demo\n");
  Run({"__complete", "items", "list", "--source=d"});
  EXPECT_EQ(out_.str(), "--source=demo\n") << "zsh and fish replace the whole word";
  Run({"__complete", "--config", ""});
  EXPECT_EQ(out_.str(), ":files\n");
  Run({"__complete", "--sources", ""});
  EXPECT_EQ(out_.str(), ":folders\n");
  Run({"__complete", "help", "plan", "har"});
  EXPECT_THAT(out_.str(), HasSubstr("harvest\t"));
  Run({"__complete", "nonsense", ""});
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(Run({"completion", "tcsh"}), 2);
  for (const auto* shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(Run({"completion", shell}), 0);
    EXPECT_THAT(out_.str(), HasSubstr("patra __complete"));
  }
}

TEST_F(FrontDoor, AFlagCountsMoreThanTheEnvironmentAndThatMoreThanTheConfiguration) {
  services_.configured_database = "of-file.db";
  EXPECT_EQ(Run({"gate", "list"}), 0);
  EXPECT_EQ(services_.asked_store.database, "of-file.db");
  ASSERT_EQ(setenv("PATRA_DATABASE_URL", "of-environment.db", 1), 0);
  EXPECT_EQ(Run({"gate", "list"}), 0);
  EXPECT_EQ(services_.asked_store.database, "of-environment.db");
  EXPECT_EQ(Run({"config", "show"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("of-environment.db  PATRA_DATABASE_URL"));
  EXPECT_EQ(Run({"gate", "list", "--db", "of-flag.db"}), 0);
  EXPECT_EQ(services_.asked_store.database, "of-flag.db");
  EXPECT_EQ(Run({"config", "show", "--json", "--db=of-flag.db"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr(R"("from":"--db","meaning":"the store","name":"database")"));
  unsetenv("PATRA_DATABASE_URL");
  EXPECT_EQ(Run({"config", "show"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("of-file.db  patra.yaml:1"));
  EXPECT_THAT(out_.str(), HasSubstr("heal.heal.watch"));
}

TEST_F(FrontDoor, AConfigurationWithAProblemStopsWhatGoesByIt) {
  services_.problems = {{ErrorCode::kInvalidInput,
                         "'databse' is not a known key",
                         {.file = "patra.yaml", .line = 1},
                         "did you mean 'database'?"}};
  EXPECT_EQ(Run({"gate", "list"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("patra.yaml:1: 'databse'"));
  EXPECT_EQ(Run({"config", "show"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'database'?"));
  EXPECT_EQ(Run({"help"}), 0);
  EXPECT_EQ(Run({"completion", "bash"}), 0);
}

TEST_F(FrontDoor, AProjectIsMadeOnceAndWritesOverNothing) {
  testing::TemporaryFolder folder;
  const auto project = folder.Path("project");
  EXPECT_EQ(Run({"init", project}), 0) << err_.str();
  EXPECT_TRUE(std::filesystem::exists(project + "/patra.yaml"));
  EXPECT_TRUE(std::filesystem::exists(project + "/sources/example.yaml"));
  EXPECT_EQ(Run({"init", project}), 1);
  EXPECT_THAT(err_.str(), HasSubstr("is there already"));
}

TEST_F(FrontDoor, AListOfWhatIsUnknownIsAnError) {
  const std::vector<std::vector<std::string>> lines{
      {"items", "list", "--source", "nope"},
      {"items", "export", "--source", "nope"},
      {"items", "list", "--endpoint", "nope"},
      {"task", "list", "--source", "nope"},
      {"plan", "list", "--source", "nope"},
      {"cursor", "list", "--source", "nope"},
      {"quarantine", "list", "--source", "nope"},
      {"quarantine", "retry", "--all", "--source", "nope/items"},
      {"heal", "log", "--source", "nope"},
      {"verify", "nope"},
  };
  for (const auto& line : lines) {
    EXPECT_EQ(Run(line), 78) << line[0] << " " << line[1];
    EXPECT_THAT(err_.str(), HasSubstr("did you mean 'demo'?"));
    EXPECT_EQ(out_.str(), "");
  }
  EXPECT_EQ(Run({"task", "list", "--status", "nope"}), 78);
}

TEST_F(FrontDoor, AFieldThatNobodyMapsIsAnError) {
  services_.desk.store.fields = {{"title"}, {"issued"}};
  EXPECT_EQ(Run({"items", "export", "--fields", "titel"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'title'?"));
  EXPECT_EQ(Run({"items", "export", "--fields", "title"}), 0);
}

TEST_F(FrontDoor, EveryListIsOneObjectALine) {
  services_.desk.fake_gate_keys.keys = {{.key = "crossref", .reason = "NONE"},
                                        {.key = "demo", .reason = "NONE"}};
  EXPECT_EQ(Run({"gate", "list", "--json"}), 0);
  EXPECT_EQ(std::ranges::count(out_.str(), '\n'), 2);
  EXPECT_TRUE(out_.str().starts_with("{"));
  EXPECT_EQ(Run({"source", "list", "--json"}), 0);
  EXPECT_TRUE(out_.str().starts_with("{"));
  for (const auto* family : {"plan", "slice", "task", "run", "batch", "cursor", "items", "gate",
                             "alerts", "quarantine", "fuse", "signal", "source"}) {
    EXPECT_EQ(Run({family, "list", "--json"}), 0) << family << err_.str();
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.starts_with("{") && line.ends_with("}")) << family << ": " << line;
  }
}

}  // namespace patra::adapter::cli::front_door_test
