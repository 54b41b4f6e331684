// Looking at a store needs no right to write.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sqlite/store.h"
#include "tests/e2e/patra_command.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"

namespace patra::reading_only_test {

constexpr uid_t kNobody = 65534;

class ReadingOnly : public ::testing::Test {
 protected:
  testing::CommandAnswer Run(std::vector<std::string> words) {
    boot::Application application;
    return testing::RunPatra(application, clock_, folder_.Path("patra.db"), std::move(words));
  }

  // By somebody who may read everything there, and write nothing. Root may write everywhere, so it becomes somebody else.
  int ByAReader(const std::vector<std::string>& words, const std::string& says = {}) {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::directory_iterator(folder_.Path(".")))
      fs::permissions(entry.path(), fs::perms(0444));
    fs::permissions(folder_.Path("."), fs::perms(0555));
    const pid_t pid = fork();
    if (pid == 0) {
      if (geteuid() == 0 && setuid(kNobody) != 0) _exit(126);
      const auto answer = Run(words);
      if (answer.err.find(says) == std::string::npos) _exit(125);
      _exit(answer.code);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    fs::permissions(folder_.Path("."), fs::perms(0755));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  SystemClock clock_;
  testing::TemporaryFolder folder_;
};

TEST_F(ReadingOnly, AStoreThatNobodyIsAtIsReadAsItIs) {
  ASSERT_EQ(Run({"demo", "--records", "200"}).code, 0);
  ASSERT_EQ(Run({"db", "backup", folder_.Path("copy.db")}).code, 0);
  for (const auto* file : {"patra.db", "patra.db-wal", "patra.db-shm"})
    std::filesystem::remove(folder_.Path(file));
  std::filesystem::rename(folder_.Path("copy.db"), folder_.Path("patra.db"));
  for (const auto* beside : {"copy.db-wal", "copy.db-shm"})
    std::filesystem::remove(folder_.Path(beside));
  EXPECT_EQ(ByAReader({"status"}), 0);
  EXPECT_EQ(ByAReader({"items", "list", "--source", "demo"}), 0);
  EXPECT_EQ(ByAReader({"verify", "demo"}), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("patra.db-wal")));
}

TEST_F(ReadingOnly, AStoreInUseNeedsItsFiles) {
  ASSERT_EQ(Run({"demo", "--records", "200"}).code, 0);
  {
    const auto in_use = infra::sqlite::Store::Open({.path = folder_.Path("patra.db")}, clock_);
    ASSERT_TRUE(in_use);
    ASSERT_TRUE((*in_use)->Write([](infra::sql::Session& session) {
      return session.Execute("CREATE TABLE note (text TEXT)");
    }));
    for (const auto* part : {"", "-wal", "-shm"})
      std::filesystem::copy_file(folder_.Path("patra.db") + part, folder_.Path("killed.db") + part);
  }
  // As one who is killed leaves it.
  for (const auto* part : {"", "-wal", "-shm"})
    std::filesystem::rename(folder_.Path("killed.db") + part, folder_.Path("patra.db") + part);
  EXPECT_EQ(ByAReader({"status"}), 0);
  std::filesystem::remove(folder_.Path("patra.db-shm"));
  EXPECT_EQ(ByAReader({"status"}, "needs its files -wal and -shm"), 75);
}

}  // namespace patra::reading_only_test
