#include "infra/secrets/system_secrets.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_folder.h"

namespace patra::testing::system_secrets_test {

using infra::secrets::SystemSecrets;

class Secrets : public ::testing::Test {
 protected:
  ~Secrets() override {
    unsetenv("PATRA_TEST_SECRET");
    unsetenv("PATRA_TEST_SECRET_FILE");
  }
  std::string Write(const std::string& text) {
    const auto path = folder_.Path("secret");
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  TemporaryFolder folder_;
  SystemSecrets secrets_;
};

TEST_F(Secrets, AreLookedUpWhereTheReferenceSays) {
  setenv("PATRA_TEST_SECRET", "from the environment", 1);
  EXPECT_EQ(*secrets_.Resolve("env:PATRA_TEST_SECRET"), "from the environment");
  EXPECT_EQ(*secrets_.Resolve("${env:PATRA_TEST_SECRET}"), "from the environment");
  EXPECT_EQ(*secrets_.Resolve("file:" + Write("from a file\n")), "from a file");
  EXPECT_EQ(*secrets_.Resolve("${file:" + Write("from a file\r\n") + "}"), "from a file");
}

TEST_F(Secrets, AreLookedUpAnewEveryTime) {
  setenv("PATRA_TEST_SECRET", "old", 1);
  EXPECT_EQ(*secrets_.Resolve("env:PATRA_TEST_SECRET"), "old");
  setenv("PATRA_TEST_SECRET", "new", 1);
  EXPECT_EQ(*secrets_.Resolve("env:PATRA_TEST_SECRET"), "new");
}

TEST_F(Secrets, MayStandInAFileThatTheEnvironmentNames) {
  setenv("PATRA_TEST_SECRET_FILE", Write("in a file").c_str(), 1);
  EXPECT_EQ(*secrets_.Resolve("env:PATRA_TEST_SECRET"), "in a file");
}

TEST_F(Secrets, ThatAreNotSetAreNotFound) {
  setenv("PATRA_TEST_SECRET", "", 1);
  for (const auto& reference :
       {std::string("env:PATRA_TEST_SECRET"), std::string("env:PATRA_TEST_NOT_SET"),
        "file:" + folder_.Path("missing"), "file:" + Write("\n")}) {
    const auto secret = secrets_.Resolve(reference);
    ASSERT_FALSE(secret) << reference;
    EXPECT_EQ(secret.error().code, ErrorCode::kNotFound);
  }
}

TEST_F(Secrets, AreBoundedAndOfOneLine) {
  std::string longest(SystemSecrets::kBytesMax, 'x');
  longest.push_back('\n');
  EXPECT_TRUE(secrets_.Resolve("file:" + Write(longest)));
  longest.back() = 'x';
  EXPECT_EQ(secrets_.Resolve("file:" + Write(longest)).error().code, ErrorCode::kLimit);
  for (const auto& text : {std::string("a\nb"), std::string("a\0b", 3), std::string("a\rb")})
    EXPECT_EQ(secrets_.Resolve("file:" + Write(text)).error().code, ErrorCode::kInvalidInput);
}

TEST_F(Secrets, WhoWritesTheSecretItselfDoesNotReadItInTheError) {
  for (const auto* text : {"hunter2-hunter2", "", "env:", "vault:hunter2-hunter2"}) {
    const auto secret = secrets_.Resolve(text);
    ASSERT_FALSE(secret);
    EXPECT_EQ(secret.error().Describe().find("hunter2"), std::string::npos);
  }
}

}  // namespace patra::testing::system_secrets_test
