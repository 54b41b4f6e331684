// A store that was harvested into a file goes on on a server, and comes back. Runs where the end-to-end tests have a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::promotion_test {

using ::testing::HasSubstr;

class Promotion : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!stores_.are_on_a_server()) GTEST_SKIP() << "there is no server to move to";
  }

  // What a command that has to end well says.
  std::string Patra(const std::string& database, std::vector<std::string> arguments) {
    const auto answer = testing::RunPatra(application_, clock_, database, std::move(arguments));
    EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
    return answer.out;
  }
  std::string ItemsOf(const std::string& database) {
    return Patra(database, {"items", "export", "--source", "demo"});
  }
  std::string CertificateOf(const std::string& database) {
    return Patra(database, {"verify", "demo/items"});
  }

  testing::TestStores stores_;
  testing::TemporaryFolder folder_;
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(Promotion, TheNextHarvestGoesOnOnTheServerAndWhatComesBackIsTheSame) {
  const auto file = "sqlite:" + folder_.Path("demo.db");
  const auto server = stores_.At("server");
  const auto back = "sqlite:" + folder_.Path("back.db");
  // Compares the store with all that its provider has, and fails where a record is missing or wrong.
  Patra(file, {"demo", "--records", "500"});
  const auto items = ItemsOf(file);
  const auto certificate = CertificateOf(file);
  ASSERT_THAT(items, HasSubstr("title"));

  EXPECT_THAT(Patra(file, {"db", "promote", "--to", server}), HasSubstr("is moved to " + server));
  EXPECT_TRUE(ItemsOf(server) == items);
  EXPECT_EQ(CertificateOf(server), certificate);
  EXPECT_TRUE(ItemsOf(file) == items) << "the old store can be looked at";

  Patra(server, {"demo"});  // another week
  const auto newer = ItemsOf(server);
  EXPECT_NE(CertificateOf(server), certificate) << "more is proven";
  Patra(server, {"db", "promote", "--to", back, "--json"});
  EXPECT_TRUE(ItemsOf(back) == newer);
  EXPECT_EQ(CertificateOf(back), CertificateOf(server));
  Patra(back, {"demo"});

  for (const auto& old : {file, server}) {
    const auto refused = testing::RunPatra(application_, clock_, old, {"demo"});
    EXPECT_EQ(refused.code, 78);
    EXPECT_THAT(refused.err, HasSubstr("takes no more changes"));
  }
}

}  // namespace patra::promotion_test
