#include "adapter/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace patra::adapter::cli::output_file_test {

std::string ContentOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Result<void> WriteTo(const std::string& path, std::string_view text) {
  auto file = PATRA_TRY(OutputFile::Create(path));
  PATRA_TRY(file.Write(text));
  return file.Finish();
}

class OutputFileTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string path_ = folder_.Path("out.csv");
};

TEST_F(OutputFileTest, OnlyItsOwnerMayReadIt) {
  ASSERT_TRUE(WriteTo(path_, "records"));
  struct stat status{};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  EXPECT_EQ(ContentOf(path_), "records");
}

TEST_F(OutputFileTest, GivenUpItLeavesNothingBehindAndTheOldFileInPlace) {
  ASSERT_TRUE(WriteTo(path_, "old"));
  {
    auto file = *OutputFile::Create(path_);
    ASSERT_TRUE(file.Write("new"));
  }
  EXPECT_EQ(ContentOf(path_), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.Path("")), {}), 1);
}

TEST_F(OutputFileTest, APipeGetsTheBytesAndStaysAPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::string received;
  std::jthread reader([&] { received = ContentOf(path_); });
  const auto written = WriteTo(path_, std::string(1'000'000, 'x'));
  reader.join();
  ASSERT_TRUE(written) << written.error().Describe();
  EXPECT_EQ(received.size(), 1'000'000u);
  EXPECT_TRUE(std::filesystem::is_fifo(path_));
}

TEST_F(OutputFileTest, ADeviceIsWrittenTo) {
  std::filesystem::create_symlink("/dev/null", path_);
  ASSERT_TRUE(WriteTo(path_, "records"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  std::filesystem::create_symlink("/dev/full", folder_.Path("full"));
  EXPECT_EQ(WriteTo(folder_.Path("full"), "records").error().code, ErrorCode::kUnavailable);
}

TEST_F(OutputFileTest, ALinkStaysAndTheFileBehindItIsReplaced) {
  std::ofstream(folder_.Path("real.csv")) << "old";
  std::filesystem::create_symlink("real.csv", path_);
  ASSERT_TRUE(WriteTo(path_, "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(ContentOf(folder_.Path("real.csv")), "new");
}

TEST_F(OutputFileTest, ALinkUnderTheNameOfItsDraftIsNotFollowed) {
  std::ofstream(folder_.Path("precious")) << "precious";
  std::filesystem::create_symlink("precious", path_ + "." + std::to_string(getpid()) + ".part");
  ASSERT_TRUE(WriteTo(path_, "records"));
  EXPECT_EQ(ContentOf(folder_.Path("precious")), "precious");
  EXPECT_EQ(ContentOf(path_), "records");
}

}  // namespace patra::adapter::cli::output_file_test
