// The program on a terminal of its own.
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/columns.h"
#include "base/time.h"
#include "base/value.h"
#include "sim/simulator.h"
#include "tests/temporary_folder.h"

namespace patra::terminal_test {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

struct Seen {
  int code = 0;
  std::string text;
};

// Runs it on a terminal of that many columns. Every byte that it writes there, until it ends.
Seen OnTerminal(std::size_t columns, const std::string& folder,
                const std::vector<std::string>& words) {
  std::vector<const char*> arguments{PATRA_PROGRAM};
  for (const auto& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  winsize size{
      .ws_row = 24, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    unsetenv("NO_COLOR");
    if (chdir(folder.c_str()) != 0) _exit(126);
    execv(arguments.front(), const_cast<char**>(arguments.data()));
    _exit(127);
  }
  Seen seen;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = read(terminal, bytes.data(), bytes.size())) > 0;)
    seen.text.append(bytes.data(), static_cast<std::size_t>(count));
  int status = 0;
  waitpid(pid, &status, 0);
  close(terminal);
  seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return seen;
}

// What stands between two moves of the cursor: the lines as they were at any time.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n' || text[at] == '\r') {
      lines.push_back(std::exchange(line, {}));
    } else if (text[at] == '\x1b') {
      at = text.find_first_of("mK", at);
    } else {
      line += text[at];
    }
  }
  lines.push_back(line);
  return lines;
}

TEST(OnATerminal, ProgressAndTablesFitItsWidth) {
  for (const std::size_t columns : {60U, 80U, 120U}) {
    testing::TemporaryFolder folder;
    const auto demo =
        OnTerminal(columns, folder.Path("."), {"demo", "--db", "demo.db", "--records", "2000"});
    EXPECT_EQ(demo.code, 0) << demo.text;
    EXPECT_THAT(demo.text, HasSubstr("\r\x1b[Kfirst harvest "));
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"status"}, {"slice", "list"}, {"items", "list"}, {"gate", "list"}, {"help"}}) {
      auto words = command;
      words.insert(words.end(), {"--db", "demo.db", "--quiet"});
      const auto seen = OnTerminal(columns, folder.Path("."), words);
      EXPECT_EQ(seen.code, 0) << seen.text;
      if (command.front() == "status") continue;  // its remarks are sentences
      for (const auto& line : LinesOf(seen.text))
        EXPECT_LE(adapter::cli::ColumnsOf(line), columns) << line;
    }
    for (const auto& line : LinesOf(demo.text)) {
      const bool is_progress = line.find("records  ") != std::string::npos;
      EXPECT_TRUE(!is_progress || adapter::cli::ColumnsOf(line) < columns) << line;
    }
  }
}

class HarvestOnATerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    auto simulator = sim::Simulator::Start({.seed = 3,
                                            .size = 500,
                                            .providers = {"rest"},
                                            .begin = kBegin,
                                            .now = kBegin + std::chrono::days(31)});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    // Half of the answers are errors, so that there is something to log.
    ASSERT_TRUE(simulator_->SetFaults(
        *ParseJson(R"({"seed":1,"faults":[{"kind":"server_error","probability":0.3}]})")));
  }

  std::vector<std::string> Harvest(const std::vector<std::string>& more) {
    std::vector<std::string> words{"harvest",
                                   "sim-rest/by-token",
                                   "--sources",
                                   std::string(PATRA_SOURCE_DIR) + "/sources",
                                   "--set",
                                   "http.base_url=" + simulator_->url(),
                                   "--set",
                                   "window.start=" + FormatRfc3339(kBegin),
                                   "--to",
                                   FormatRfc3339(kBegin + std::chrono::days(20)),
                                   "--allow-loopback",
                                   "--db",
                                   "patra.db",
                                   "--log-level",
                                   "info"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
  testing::TemporaryFolder folder_;
  std::unique_ptr<sim::Simulator> simulator_;
};

TEST_F(HarvestOnATerminal, LogsAreReadableLinesAboveTheBar) {
  const auto seen = OnTerminal(80, folder_.Path("."), Harvest({}));
  EXPECT_THAT(seen.text, HasSubstr("info  slice.closed"));
  EXPECT_THAT(seen.text, Not(HasSubstr("{\"")));
  EXPECT_THAT(seen.text, HasSubstr("\r\x1b[Ksim-rest/by-token"));
}

TEST_F(HarvestOnATerminal, LogsAreJsonWhereSomebodyAsksForIt) {
  const auto seen = OnTerminal(80, folder_.Path("."), Harvest({"--log-format", "json"}));
  EXPECT_THAT(seen.text, HasSubstr("\"event\":\"slice.closed\""));
}

TEST_F(HarvestOnATerminal, LogsAreJsonInAPipe) {
  const auto words = Harvest({});
  std::string line = "cd " + folder_.Path(".") + " && " + PATRA_PROGRAM;
  for (const auto& word : words) line += " '" + word + "'";
  ASSERT_EQ(std::system((line + " > out.txt 2> err.txt").c_str()), 0);
  std::ifstream file(folder_.Path("err.txt"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("\"event\":\"slice.closed\""));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

// bash asks the program what it offers, as a person's keys would make it.
TEST(Completion, WorksInBash) {
  testing::TemporaryFolder folder;
  const auto script = folder.Path("try.sh");
  std::ofstream(script)
      << "patra() { " PATRA_PROGRAM
         " \"$@\"; }\n"
         "source <(patra completion bash)\n"
         "COMP_WORDS=(patra task lis); COMP_CWORD=2; _patra; echo \"${COMPREPLY[@]}\"\n"
         "COMP_WORDS=(patra status --log-level = wa); COMP_CWORD=4; _patra; echo "
         "\"${COMPREPLY[@]}\"\n"
         "COMP_WORDS=(patra harvest sim-rest/by-to); COMP_CWORD=2; _patra; echo "
         "\"${COMPREPLY[@]}\"\n";
  const auto line = "cd " + folder.Path(".") +
                    " && PATRA_SOURCES=" PATRA_SOURCE_DIR "/sources bash " + script + " > " +
                    folder.Path("out.txt");
  ASSERT_EQ(std::system(line.c_str()), 0);
  std::ifstream file(folder.Path("out.txt"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "list\nwarn\nsim-rest/by-token\n");
}

// The same in fish, with names of sources, also behind an equals sign; skipped where there is no fish.
TEST(Completion, WorksInFish) {
  if (std::system("command -v fish > /dev/null") != 0)
    GTEST_SKIP() << "there is no fish; `apt-get install fish` brings it";
  testing::TemporaryFolder folder;
  const auto script = folder.Path("try.fish");
  std::ofstream(script) << "function patra; " PATRA_PROGRAM
                           " $argv; end\n"
                           "patra completion fish | source\n"
                           "complete -C 'patra task lis' | string replace -r '\\t.*' ''\n"
                           "complete -C 'patra harvest sim-rest/by-to'\n"
                           "complete -C 'patra items list --source=sim-rest/by-to'\n";
  const auto line = "cd " + folder.Path(".") + " && HOME=" + folder.Path(".") +
                    " PATRA_SOURCES=" PATRA_SOURCE_DIR "/sources fish --no-config " + script +
                    " > " + folder.Path("out.txt");
  ASSERT_EQ(std::system(line.c_str()), 0);
  std::ifstream file(folder.Path("out.txt"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "list\nsim-rest/by-token\n--source=sim-rest/by-token\n");
}

TEST(Output, ThatCannotBeWrittenIsAFailureThatSaysSo) {
  testing::TemporaryFolder folder;
  const auto errors = folder.Path("err.txt");
  const auto status = std::system((PATRA_PROGRAM " help > /dev/full 2> " + errors).c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::ifstream file(errors);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("could not be written to standard output"));
}

}  // namespace patra::terminal_test
