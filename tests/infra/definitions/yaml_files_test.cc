#include "infra/definitions/yaml_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/compile_source.h"
#include "tests/temporary_folder.h"

namespace patra::infra::definitions::yaml_files_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(YamlFiles, ALinkThatLeadsToNothingIsTheProblemOfThatEntry) {
  testing::TemporaryFolder folder;
  std::ofstream(folder.Path("a.yaml")) << "source: a\n";
  std::filesystem::create_symlink("nowhere", folder.Path("b.yaml"));
  std::filesystem::create_symlink("loop.yaml", folder.Path("loop.yaml"));
  std::filesystem::create_symlink("me@host.1:2", folder.Path(".#a.yaml"));  // an editor's lock
  const auto files = YamlFiles().ReadFolder(folder.Path(""));
  ASSERT_TRUE(files) << files.error().Describe();
  ASSERT_THAT(*files, SizeIs(3));
  EXPECT_THAT(files->at(0).problems, IsEmpty());
  for (const auto i : {1U, 2U}) {
    ASSERT_THAT(files->at(i).problems, SizeIs(1));
    EXPECT_THAT(files->at(i).problems[0].Describe(), HasSubstr("link that leads to nothing"));
  }
}

TEST(ParseYaml, KnowsThePlaceOfEveryNode) {
  const auto file = ParseYaml("source: demo\nhttp:\n  base_url: https://x.example\n", "a.yaml");
  ASSERT_THAT(file.problems, IsEmpty());
  const auto* url = file.tree.At("http.base_url");
  ASSERT_NE(url, nullptr);
  EXPECT_EQ(url->place, (Place{.file = "a.yaml", .line = 3, .column = 13}));
}

TEST(ParseYaml, TellsQuotedTextFromNumbersAndFlags) {
  const auto file = ParseYaml("{a: 1, b: '1', c: true, d: 1.5, e: ~, f: 1d, g: 0x1}", "a.yaml");
  EXPECT_EQ(file.tree.Find("a")->scalar, Value(1));
  EXPECT_EQ(file.tree.Find("b")->scalar, Value("1"));
  EXPECT_EQ(file.tree.Find("c")->scalar, Value(true));
  EXPECT_EQ(file.tree.Find("d")->scalar, Value(1.5));
  EXPECT_EQ(file.tree.Find("e"), nullptr);
  EXPECT_EQ(file.tree.Find("f")->scalar, Value("1d"));
}

TEST(ParseYaml, ReportsEveryRepeatedKeyWithBothLines) {
  const auto file = ParseYaml("a: 1\nb: {c: 1, c: 2}\na: 3\n", "a.yaml");
  ASSERT_THAT(file.problems, SizeIs(2));
  EXPECT_EQ(file.problems[0].message, "'c' is there twice");
  EXPECT_EQ(file.problems[1].message, "'a' is there twice");
  EXPECT_EQ(file.problems[1].place.line, 3);
  EXPECT_EQ(file.problems[1].hint, "it is also in line 1");
}

TEST(ParseYaml, SaysWhereItIsNotYaml) {
  const auto file = ParseYaml("a: [1\nb: 2\n", "a.yaml");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(file.problems[0].message, HasSubstr("not YAML"));
  EXPECT_GT(file.problems[0].place.line, 0);
}

TEST(ParseYaml, RefusesAFileThatGrowsByAliases) {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'i'; ++c) {
    text += fmt::format("{0}: &{0} [*{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}, *{1}]\n",
                        c, static_cast<char>(c - 1));
  }
  const auto file = ParseYaml(text, "a.yaml");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(file.problems[0].message, HasSubstr("too large"));
}

TEST(ParseYaml, RefusesAFileThatIsNestedTooDeeply) {
  const auto file = ParseYaml(std::string(200, '[') + std::string(200, ']'), "a.yaml");
  EXPECT_THAT(file.problems, SizeIs(1));
}

TEST(YamlFiles, APipeOrADeviceInTheFolderIsAProblemOfItsOwn) {
  testing::TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.Path("a.yaml").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.Path("b.yaml"));
  std::filesystem::create_directory(folder.Path("c.yaml"));
  std::ofstream(folder.Path("d.yaml")) << "source: fine\n";
  const auto files = YamlFiles().ReadFolder(folder.Path(""));
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ((*files)[i].problems.size(), 1u);
    EXPECT_NE((*files)[i].problems[0].message.find("no regular file"), std::string::npos);
  }
  EXPECT_TRUE((*files)[3].problems.empty());
}

TEST(YamlFiles, AHugeFileIsNotReadToItsEnd) {
  testing::TemporaryFolder folder;
  std::ofstream(folder.Path("a.yaml")) << "source: x\n";
  std::filesystem::resize_file(folder.Path("a.yaml"), std::uintmax_t{1} << 36);  // sparse
  const auto file = YamlFiles().ReadFile(folder.Path("a.yaml"));
  ASSERT_TRUE(file);
  ASSERT_EQ(file->problems.size(), 1u);
  EXPECT_NE(file->problems[0].message.find("at most"), std::string::npos);
}

TEST(CheckDefinition, AnUnknownKeyIsReportedAtTheKeyWithWhatMayBeMeant) {
  const auto file = ParseYaml("source: demo\nhttp:\n  base_ulr: https://x.example\n", "a.yaml");
  const auto checked = domain::CheckDefinition(file.tree, nullptr);
  ASSERT_THAT(checked.problems, SizeIs(1));
  EXPECT_EQ(checked.problems[0].place,
            (Place{.file = "a.yaml", .line = 3, .column = 3, .pointer = "/http/base_ulr"}));
  EXPECT_EQ(checked.problems[0].hint, "did you mean 'base_url'?");
}

TEST(YamlFiles, ATextThatIsNotUtf8IsRefusedWithItsPlace) {
  const auto file = ParseYaml("source: mine\nname: \"a\xff\"\n", "mine.yaml");
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_THAT(file.problems.front().message, ::testing::HasSubstr("UTF-8"));
  EXPECT_EQ(file.problems.front().place.line, 2);
}

TEST(YamlFiles, SeveralDocumentsInOneFileAreRefused) {
  const auto file = ParseYaml("source: mine\n---\nsource: theirs\n", "mine.yaml");
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_THAT(file.problems.front().message, ::testing::HasSubstr("2 documents"));
  EXPECT_EQ(file.problems.front().place.line, 3);
  EXPECT_TRUE(ParseYaml("---\nsource: mine\n", "mine.yaml").problems.empty()) << "one is begun";
}

TEST(YamlFiles, ATabThatIndentsIsCalledATab) {
  const auto file = ParseYaml("source: mine\nhttp:\n\tbase_url: x\n", "mine.yaml");
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_THAT(file.problems.front().message, ::testing::HasSubstr("tab"));
  EXPECT_EQ(file.problems.front().place.line, 3);
}

}  // namespace patra::infra::definitions::yaml_files_test
