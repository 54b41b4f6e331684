// What people are shown of a harvest is the same after its batches, events and pages have gone to the archive.
#include <filesystem>
#include <fstream>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::archive_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Archive : public ::testing::Test {
 protected:
  Archive() {
    std::ofstream(configuration_) << "retention: {archive_dir: old}\n";
    Patra({"db", "migrate"});
    Patra({"demo", "--records", "2000"});
    const auto why = Json({"items", "why", AnyItem(), "--json"});
    batch_ = Text(why, "batch");
    run_ = Text(why, "run");
  }

  testing::CommandAnswer Try(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--config", configuration_});
    return testing::RunPatra(application_, clock_, database_, std::move(arguments));
  }
  std::string Patra(std::vector<std::string> arguments) {
    const auto answer = Try(std::move(arguments));
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    return answer.out;
  }
  Value Json(std::vector<std::string> arguments) {
    const auto out = Patra(std::move(arguments));
    auto value = ParseJson(out.substr(0, out.find('\n')));
    EXPECT_TRUE(value) << out;
    return value.value_or(Value());
  }
  static std::string Text(const Value& value, const char* member) {
    const auto text = PrintJson(value);
    std::smatch found;
    const bool is_there =
        std::regex_search(text, found, std::regex(std::string("\"") + member + "\":\"(\\d+)\""));
    EXPECT_TRUE(is_there) << member << " in " << text;
    return found[1];
  }
  std::string AnyItem() {
    const auto item = Json({"items", "list", "--source", "demo", "--limit", "1", "--json"});
    const auto* id = item.Find("id");
    return id == nullptr ? "" : *id->AsString();
  }
  // Where time stands still, as in the demo, many batches are committed in the moment in which a record is first seen: any of
  // them is named.
  std::string Why() {
    return std::regex_replace(Patra({"items", "why", AnyItem()}), std::regex("by batch \\d+"),
                              "by a batch");
  }
  // All that can be asked about what will be archived.
  std::vector<std::string> Looks() {
    return {Patra({"batch", "show", batch_}),
            Patra({"batch", "show", batch_, "--json"}),
            Patra({"batch", "list", "--run", run_}),
            Why(),
            Patra({"cursor", "list"}),
            Patra({"verify", "demo/items"}),
            Patra({"replay", run_ + "/" + batch_, "--from-raw"})};
  }
  static void ExpectSame(const std::vector<std::string>& now,
                         const std::vector<std::string>& before) {
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(now[i], before[i]);
  }
  std::vector<fs::path> Files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.Path("old")))
      if (entry.is_regular_file()) files.push_back(entry.path());
    return files;
  }

  testing::TestStores stores_;
  testing::TemporaryFolder folder_;
  boot::Application application_;
  SystemClock clock_;
  const std::string configuration_ = folder_.Path("patra.yaml");
  const std::string database_ = stores_.At(folder_.Path("demo.db"));
  std::string batch_;
  std::string run_;
};

TEST_F(Archive, WhatIsArchivedIsShownReplayedAndVerifiedAsBefore) {
  const auto before = Looks();
  const auto archived = Json({"db", "archive", "--older-than", "0s", "--json"});
  EXPECT_EQ(*archived.Find("kind"), Value("pages"));
  EXPECT_GT(*archived.Find("rows")->AsInteger(), 10);
  ExpectSame(Looks(), before);
  EXPECT_THAT(Patra({"db", "archive", "--older-than", "0s"}), HasSubstr("batches"))
      << "there is nothing more to do";
  ExpectSame(Looks(), before);
  // The store goes on.
  Patra({"demo"});
  EXPECT_EQ(Patra({"batch", "show", batch_}), before[0]);
}

TEST_F(Archive, WhatIsArchivedIsMappedAnewAndWithoutItsFilesNamedAsLost) {
  const auto same = [&] {
    return *Json({"remap", "demo/items", "--dry-run", "--json"})
                .Find("look")
                ->Find("same")
                ->AsInteger();
  };
  const auto before = same();
  Patra({"db", "archive", "--older-than", "0s"});
  EXPECT_EQ(same(), before);
  const auto done = Json({"remap", "demo/items", "--reason", "to see", "--json"});
  EXPECT_EQ(*done.Find("pagesLost")->AsInteger(), 0);
  EXPECT_GT(*done.Find("unchanged")->AsInteger(), 1'000);
  fs::rename(folder_.Path("old"), folder_.Path("elsewhere"));
  const auto lost = Try({"remap", "demo/items", "--dry-run"});
  EXPECT_EQ(lost.code, 1) << lost.out << lost.err;
  EXPECT_THAT(lost.out, HasSubstr("their records stay as they are"));
}

TEST_F(Archive, AFolderThatWasMovedIsNamedAnew) {
  const auto shown = Patra({"batch", "show", batch_});
  Patra({"db", "archive", "--older-than", "0s"});
  fs::rename(folder_.Path("old"), folder_.Path("elsewhere"));
  const auto missing = Try({"batch", "show", batch_});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("retention.archive_dir"));
  EXPECT_THAT(missing.err, HasSubstr(folder_.Path("old")));
  std::ofstream(configuration_) << "retention: {archive_dir: elsewhere}\n";
  EXPECT_EQ(Patra({"batch", "show", batch_}), shown);
}

TEST_F(Archive, WhatIsYoungStaysAndTheFilesAreTheOwnersAlone) {
  Patra({"db", "archive"});
  EXPECT_FALSE(fs::exists(folder_.Path("old")));
  Patra({"db", "archive", "--older-than", "0s", "--to", folder_.Path("other")});
  EXPECT_FALSE(fs::exists(folder_.Path("old")));
  fs::rename(folder_.Path("other"), folder_.Path("old"));
  ASSERT_FALSE(Files().empty());
  for (const auto& file : Files()) {
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(file.string().ends_with(".jsonl.zst")) << file;
  }
}

TEST_F(Archive, AnAgeThatIsNoneIsRefused) {
  for (const auto* age : {"yesterday", "-3d"})
    EXPECT_EQ(Try({"db", "archive", "--older-than", age}).code, 78) << age;
}

}  // namespace patra::archive_test
