#include "app/heal/reset_fuse.h"

#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::reset_fuse_test {

class ResettingAFuse : public SenderTest {
 protected:
  // The provider refuses the key of that source.
  void Refuse(const std::string& source) {
    spec_.provenance = source;
    spec_.auth = {.type = domain::AuthType::kApiKey,
                  .location = domain::AuthLocation::kHeader,
                  .name = "X-Key",
                  .credentials = {"env:KEY"}};
    secrets_.values["env:KEY"] = "secret-of-all";
    transport_.script = [](const auto&) { return app::HttpResponse{.status = 401}; };
    auto sent = Send();
    ASSERT_TRUE(sent) << sent.error().Describe();
    Settle(*sent);
    ASSERT_EQ(StatusOf(source + "#KEY").reason, domain::WaitReason::kRefused);
  }

  FakeHolds holds_;
};

TEST_F(ResettingAFuse, TriesTheRefusedCredentialsOfThatSourceAgainAndNoOthers) {
  for (const auto* source : {"demo", "demo-two", "other"}) Refuse(source);
  ASSERT_TRUE(app::ResetFuse(holds_, *gate_, {.source = "demo"}, {{"me"}, "a new key"}));
  EXPECT_NE(StatusOf("demo#KEY").reason, domain::WaitReason::kRefused);
  EXPECT_EQ(StatusOf("demo-two#KEY").reason, domain::WaitReason::kRefused);
  EXPECT_EQ(StatusOf("other#KEY").reason, domain::WaitReason::kRefused);

  spec_.provenance = "demo";
  transport_.script = [](const auto&) { return app::HttpResponse{.status = 200}; };
  const auto sent = Send();
  ASSERT_TRUE(sent) << sent.error().Describe();
  EXPECT_EQ(sent->response->status, 200);
}

TEST_F(ResettingAFuse, ThatDidNotBlowTakesNoCredentialBack) {
  Refuse("demo");
  holds_.reset_error = Fail(ErrorCode::kNotFound, "no fuse has blown").error();
  EXPECT_FALSE(app::ResetFuse(holds_, *gate_, {.source = "demo"}, {{"me"}, "by mistake"}));
  EXPECT_EQ(StatusOf("demo#KEY").reason, domain::WaitReason::kRefused);
}

}  // namespace patra::testing::reset_fuse_test
