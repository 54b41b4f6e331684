// A plan remembers where its values came from, whatever becomes of the definition.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::origins_test {

class OriginsEndToEnd : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.Path("sources")); }

  testing::CommandAnswer Ask(std::vector<std::string> arguments) {
    return testing::RunPatra(application_, clock_, database_, std::move(arguments));
  }

  void Define(const std::string& safety_lag, const std::string& above = "") {
    std::ofstream(File()) << above << "source: tiny\n"
                          << "http: {base_url: \"http://127.0.0.1:1\", allow_http: true}\n"
                          << "limits:\n  - {rate: 100/s}\n"
                          << "window:\n  by: updated_at\n  start: 2024-01-01\n"
                          << "  safety_lag: " << safety_lag << "\n  width: 1h..30d\n"
                          << "response: {items: $.items, id: $.id, updated: $.updated}\n"
                          << "endpoints:\n  items:\n    request:\n      path: /items\n"
                          << "      query: {from: \"${window.from}\", to: \"${window.to}\", page: "
                             "\"${page.number}\", size: \"${page.size}\"}\n"
                          << "    paging: {style: page, first_page: 1, size: 100}\n"
                          << "    fields: {title: $.title}\n";
  }

  std::string File() const { return folder_.Path("sources") + "/tiny.yaml"; }

  // {path, value, level, place} of the newest plan, or of that one.
  std::string OriginOf(const std::string& plan, const std::string& path) {
    const auto shown = Ask({"plan", "show", plan, "--origins", "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    std::istringstream lines(shown.out);
    for (std::string line; std::getline(lines, line);) {
      const auto row = *ParseJson(line);
      if (*row.Find("path")->AsString() != path) continue;
      return *row.Find("value")->AsString() + " | " + *row.Find("level")->AsString() + " | " +
             *row.Find("place")->AsString();
    }
    return "";
  }

  std::string Plan(const std::string& from, const std::string& to) {
    const auto planned =
        Ask({"plan", "harvest", "tiny", "--sources", folder_.Path("sources"), "--from", from,
             "--to", to, "--page-size", "7", "--set", "retry.attempts=2"});
    EXPECT_EQ(planned.code, 0) << planned.out << planned.err;
    const auto plans = Ask({"plan", "list", "--json", "--limit", "1"});
    return *ParseJson(plans.out.substr(0, plans.out.find('\n')))->Find("id")->AsString();
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::string database_ = stores_.At(folder_.Path("patra.db"));
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(OriginsEndToEnd, APlanTellsWhereItsValuesStoodAlsoAfterTheDefinitionHasChanged) {
  Define("2h");
  const auto old = Plan("2024-01-01", "2024-01-02");
  Define("3h", "# Two lines\n# more at the top\n");
  const auto young = Plan("2024-01-02", "2024-01-03");
  ASSERT_NE(old, young);

  EXPECT_EQ(OriginOf(old, "window.safety_lag"), "2h | source | " + File() + ":8:15");
  EXPECT_EQ(OriginOf(young, "window.safety_lag"), "3h | source | " + File() + ":10:15");
  EXPECT_EQ(OriginOf(old, "paging.size"), "7 | trigger | --page-size");
  EXPECT_EQ(OriginOf(old, "retry.attempts"), "2 | trigger | --set");
  EXPECT_THAT(OriginOf(old, "paging.style"), ::testing::StartsWith("page | endpoint | " + File()));
  EXPECT_THAT(Ask({"plan", "show", old, "--origins"}).out, ::testing::HasSubstr("platform"));
}

TEST_F(OriginsEndToEnd, APlanThatThereIsNotHasNone) {
  Define("2h");
  Plan("2024-01-01", "2024-01-02");
  EXPECT_NE(Ask({"plan", "show", "7", "--origins"}).code, 0);
}

}  // namespace patra::origins_test
