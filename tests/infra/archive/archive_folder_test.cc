#include "infra/archive/archive_folder.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "tests/temporary_folder.h"

namespace patra::infra::archive::archive_folder_test {

namespace fs = std::filesystem;

struct ArchiveFolderTest : ::testing::Test {
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder.Path("old")))
      if (entry.is_regular_file()) names.push_back(entry.path().filename());
    return names;
  }
  unsigned ModeOf(const std::string& name) const {
    struct stat about{};
    EXPECT_EQ(stat(folder.Path(name).c_str(), &about), 0) << name;
    return about.st_mode & 07777;
  }

  testing::TemporaryFolder folder;
  ArchiveFolder files{folder.Path("old")};
};

TEST_F(ArchiveFolderTest, WhatIsWrittenIsReadBack) {
  const std::string bytes("a\0b\xff", 4);
  ASSERT_TRUE(files.Write("demo/pages-1.jsonl.zst", bytes));
  EXPECT_EQ(files.Read("demo/pages-1.jsonl.zst", 100).value(), bytes);
  ASSERT_TRUE(files.Write("demo/pages-1.jsonl.zst", "other")) << "whoever begins anew";
  EXPECT_EQ(files.Read("demo/pages-1.jsonl.zst", 100).value(), "other");
  EXPECT_THAT(Names(), ::testing::ElementsAre("pages-1.jsonl.zst")) << "nothing is left aside";
}

TEST_F(ArchiveFolderTest, OnlyItsOwnerMayLook) {
  ASSERT_TRUE(files.Write("demo/a", "x"));
  EXPECT_EQ(ModeOf("old"), 0700u);
  EXPECT_EQ(ModeOf("old/demo"), 0700u);
  EXPECT_EQ(ModeOf("old/demo/a"), 0600u);
}

TEST_F(ArchiveFolderTest, WhatIsNotThereOrTooLargeIsAnErrorOfItsOwn) {
  EXPECT_EQ(files.Read("demo/a", 100).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(files.Write("demo/a", "four"));
  EXPECT_EQ(files.Read("demo/a", 3).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(files.Read("demo/a", 4));
}

// Somebody was killed before the file had its name.
TEST_F(ArchiveFolderTest, WhatWasWrittenAsideGoesWithTheFile) {
  ASSERT_TRUE(files.Write("demo/a", "x"));
  std::ofstream(folder.Path("old/demo/a.part")) << "ha";
  std::ofstream(folder.Path("old/demo/b.part")) << "ha";
  ASSERT_TRUE(files.Remove("demo/a"));
  ASSERT_TRUE(files.Remove("demo/b"));
  EXPECT_TRUE(Names().empty());
  EXPECT_TRUE(files.Remove("demo/a")) << "it is gone already";
}

TEST_F(ArchiveFolderTest, NoNameLeadsOutOfIt) {
  std::ofstream(folder.Path("secret")) << "s";
  for (const auto* name : {"../secret", "demo/../../secret", "", "/etc/passwd"}) {
    EXPECT_EQ(files.Read(name, 100).error().code, ErrorCode::kCorruption) << name;
    EXPECT_FALSE(files.Write(name, "x")) << name;
    EXPECT_FALSE(files.Remove(name)) << name;
  }
  EXPECT_TRUE(fs::exists(folder.Path("secret")));
}

TEST_F(ArchiveFolderTest, AFolderThatCannotBeMadeIsSaid) {
  std::ofstream(folder.Path("file")) << "s";
  ArchiveFolder below(folder.Path("file/old"));
  const auto refused = below.Write("demo/a", "x");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("file/old"));
}

}  // namespace patra::infra::archive::archive_folder_test
