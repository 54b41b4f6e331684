// What every repository of API tokens must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::api_token_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class ApiTokenRepositoryContract : public testing::LedgerTest {
 protected:
  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(ApiTokenRepositoryContract);

TEST_P(ApiTokenRepositoryContract, ATokenIsKnownByItsHashUntilItIsRevoked) {
  auto& tokens = ports_->tokens();
  ASSERT_TRUE(tokens.Add({.name = "ci", .hash = "h", .scopes = {"read", "plan"}}, kAnna));
  const auto used = *tokens.Use("h");
  ASSERT_TRUE(used);
  EXPECT_EQ(used->name, "ci");
  EXPECT_THAT(used->scopes, ElementsAre("read", "plan"));
  EXPECT_FALSE(*tokens.Use("other"));
  ASSERT_TRUE(tokens.Revoke("ci", kAnna));
  EXPECT_FALSE(*tokens.Use("h"));
  EXPECT_THAT(*tokens.List(), SizeIs(0));
  EXPECT_EQ(tokens.Revoke("ci", kAnna).error().code, ErrorCode::kNotFound);
}

TEST_P(ApiTokenRepositoryContract, ANameIsGivenOnceUntilItIsRevoked) {
  auto& tokens = ports_->tokens();
  ASSERT_TRUE(tokens.Add({.name = "ci", .hash = "one"}, kAnna));
  EXPECT_EQ(tokens.Add({.name = "ci", .hash = "two"}, kAnna).error().code, ErrorCode::kConflict);
  ASSERT_TRUE(tokens.Revoke("ci", kAnna));
  EXPECT_TRUE(tokens.Add({.name = "ci", .hash = "two"}, kAnna));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'TOKEN'"), 3);
}

TEST_P(ApiTokenRepositoryContract, AnExpiredTokenIsUnknown) {
  auto& tokens = ports_->tokens();
  ASSERT_TRUE(tokens.Add({.name = "ci", .hash = "h", .expires_at = clock_.Now() + 1h}, kAnna));
  EXPECT_TRUE(*tokens.Use("h"));
  clock_.Advance(1h);
  EXPECT_FALSE(*tokens.Use("h"));
}

TEST_P(ApiTokenRepositoryContract, TheLastUseIsRememberedToTheMinute) {
  auto& tokens = ports_->tokens();
  ASSERT_TRUE(tokens.Add({.name = "ci", .hash = "h"}, kAnna));
  const auto first = clock_.Now();
  ASSERT_TRUE(tokens.Use("h"));
  clock_.Advance(59s);
  ASSERT_TRUE(tokens.Use("h"));
  EXPECT_EQ(tokens.List()->at(0).last_used_at, first);
  clock_.Advance(1s);
  ASSERT_TRUE(tokens.Use("h"));
  EXPECT_EQ(tokens.List()->at(0).last_used_at, first + 60s);
}

}  // namespace patra::api_token_repository_contract_test
