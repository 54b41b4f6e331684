#include "infra/gate/credential_book.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace patra::infra::gate::credential_book_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CredentialBookTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* store : {"one.db", "two.db"}) std::ofstream(folder_.Path(store)) << "store";
  }
  CredentialBook Of(const std::string& store) {
    return CredentialBook(book_folder_, folder_.Path(store), clock_);
  }

  testing::TemporaryFolder folder_;
  const std::string book_folder_ = folder_.Path("book");
  VirtualClock clock_{Instant(24h * 365 * 55)};
};

TEST_F(CredentialBookTest, StoresWithTheSameCredentialSeeEachOther) {
  auto one = Of("one.db");
  auto two = Of("two.db");
  ASSERT_TRUE(one.Note("crossref#KEY", "api.example:443", "a-secret-of-mine"));
  EXPECT_THAT(*one.Shared(), IsEmpty());
  ASSERT_TRUE(two.Note("mine#OTHER_NAME", "api.example:443", "a-secret-of-mine"));
  const auto shared = one.Shared();
  ASSERT_TRUE(shared) << shared.error().Describe();
  ASSERT_THAT(*shared, SizeIs(1));
  EXPECT_EQ(shared->front().credential, "crossref#KEY") << "as this store calls it";
  EXPECT_EQ(shared->front().store, folder_.Path("two.db"));
  EXPECT_EQ(shared->front().used_at, clock_.Now());
  EXPECT_EQ(two.Shared()->front().credential, "mine#OTHER_NAME");
}

TEST_F(CredentialBookTest, StoresOnAServerSeeEachOtherFromAnyFolder) {
  const auto began_in = std::filesystem::current_path();
  CredentialBook one(book_folder_, "mysql://patra@db.example.org/one", clock_);
  ASSERT_TRUE(one.Note("crossref#KEY", "api.example:443", "a-secret-of-mine"));
  std::filesystem::create_directory(folder_.Path("elsewhere"));
  std::filesystem::current_path(folder_.Path("elsewhere"));
  CredentialBook again(book_folder_, "mysql://patra@db.example.org/one", clock_);
  CredentialBook two(book_folder_, "mysql://patra@db.example.org/two", clock_);
  std::filesystem::current_path(began_in);
  ASSERT_TRUE(again.Note("crossref#KEY", "api.example:443", "a-secret-of-mine"));
  EXPECT_THAT(*again.Shared(), IsEmpty()) << "it is the same store";
  ASSERT_TRUE(two.Note("crossref#KEY", "api.example:443", "a-secret-of-mine"));
  ASSERT_THAT(*one.Shared(), SizeIs(1));
  EXPECT_EQ(one.Shared()->front().store, "mysql://patra@db.example.org/two");
}

TEST_F(CredentialBookTest, TwoNamesOfOneCredentialInOneStoreAreTold) {
  auto one = Of("one.db");
  ASSERT_TRUE(one.Note("a#KEY", "api.example:443", "a-secret-of-mine"));
  ASSERT_TRUE(one.Note("b#KEY", "api.example:443", "a-secret-of-mine"));
  ASSERT_TRUE(one.Note("a#KEY", "api.example:443", "a-secret-of-mine"));
  const auto shared = *one.Shared();
  ASSERT_THAT(shared, SizeIs(1));
  EXPECT_EQ(shared[0].credential, "a#KEY");
  EXPECT_EQ(shared[0].other_name, "b#KEY");
  EXPECT_EQ(shared[0].store, "") << "it is this one";
}

TEST_F(CredentialBookTest, OtherCredentialsOtherHostsAndStoresOfLongAgoDoNotCount) {
  auto one = Of("one.db");
  ASSERT_TRUE(one.Note("s#K", "api.example:443", "a-secret-of-mine"));
  ASSERT_TRUE(Of("two.db").Note("s#K", "api.example:443", "another-secret"));
  ASSERT_TRUE(Of("two.db").Note("s#K", "elsewhere.example:443", "a-secret-of-mine"));
  EXPECT_THAT(*one.Shared(), IsEmpty());
  ASSERT_TRUE(Of("two.db").Note("s#K", "api.example:443", "a-secret-of-mine"));
  EXPECT_THAT(*one.Shared(), SizeIs(1));
  std::filesystem::remove(folder_.Path("two.db"));
  EXPECT_THAT(*one.Shared(), IsEmpty()) << "that store is gone";
  std::ofstream(folder_.Path("two.db")) << "store";
  clock_.Advance(25h);
  EXPECT_THAT(*one.Shared(), IsEmpty());
}

TEST_F(CredentialBookTest, NoSecretIsWritten) {
  ASSERT_TRUE(Of("one.db").Note("s#K", "api.example:443", "a-secret-of-mine"));
  for (const auto& entry : std::filesystem::directory_iterator(book_folder_)) {
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_THAT(entry.path().string() + text, ::testing::Not(HasSubstr("a-secret")));
    struct stat status{};
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
  }
}

TEST_F(CredentialBookTest, AFolderThatIsNotOursAloneIsRefused) {
  std::filesystem::create_directory(folder_.Path("elsewhere"));
  chmod(folder_.Path("elsewhere").c_str(), 0700);
  std::filesystem::create_directory_symlink(folder_.Path("elsewhere"), book_folder_);
  EXPECT_FALSE(Of("one.db").Note("s#K", "h", "a-secret-of-mine")) << "a link";
  EXPECT_FALSE(Of("one.db").Shared());
  std::filesystem::remove(book_folder_);
  std::filesystem::create_directory(book_folder_);
  chmod(book_folder_.c_str(), 0755);
  const auto open = Of("one.db").Note("s#K", "h", "a-secret-of-mine");
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().Describe(), HasSubstr("0700"));
  EXPECT_THAT(std::filesystem::is_empty(folder_.Path("elsewhere")), true);
}

TEST_F(CredentialBookTest, LinksAndNonsenseInTheFolderAreLeftAlone) {
  auto one = Of("one.db");
  ASSERT_TRUE(one.Note("s#K", "h", "a-secret-of-mine"));
  ASSERT_TRUE(Of("two.db").Note("s#K", "h", "a-secret-of-mine"));
  std::ofstream(book_folder_ + "/nonsense") << "x";
  std::ofstream(book_folder_ + "/" + std::string(32, 'a') + "-" + std::string(32, 'b')) << "x\ny";
  for (const auto& entry : std::filesystem::directory_iterator(book_folder_)) {
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find("two.db") == std::string::npos) continue;
    std::filesystem::rename(entry.path(), folder_.Path("moved"));
    std::filesystem::create_symlink(folder_.Path("moved"), entry.path());
    break;
  }
  const auto shared = one.Shared();
  ASSERT_TRUE(shared);
  EXPECT_THAT(*shared, IsEmpty()) << "a link is not followed";
}

TEST(CredentialFolder, IsTheUsersOwn) {
  EXPECT_EQ(CredentialFolder("/run/user/7"), "/run/user/7/patra-credentials");
  EXPECT_THAT(CredentialFolder(""), HasSubstr("/tmp/patra-credentials-"));
  EXPECT_THAT(CredentialFolder("relative"), HasSubstr("/tmp/patra-credentials-"));
}

}  // namespace patra::infra::gate::credential_book_test
