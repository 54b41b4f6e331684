#include "infra/registry/remote_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/definitions/yaml_files.h"

namespace patra::infra::registry::remote_registry_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class OneAnswer final : public app::Transport {
 public:
  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    asked = request;
    return answer;
  }

  app::HttpRequest asked;
  Result<app::HttpResponse> answer = app::HttpResponse{.status = 200};
};

class OneSecret final : public app::Secrets {
 public:
  Result<std::string> Resolve(std::string_view reference) override {
    if (reference != "${env:TOKEN}") return Fail(ErrorCode::kNotFound, "it is not set");
    return "patra_secret";
  }
};

class RemoteRegistryTest : public ::testing::Test {
 protected:
  Error ErrorOf(int status, const std::string& body = "{}") {
    transport_.answer = app::HttpResponse{.status = status, .body = body};
    const auto found = registry_.Find("demo", Instant(), "");
    EXPECT_FALSE(found);
    return found ? Error() : found.error();
  }

  OneAnswer transport_;
  definitions::YamlFiles files_;
  OneSecret secrets_;
  RemoteRegistry registry_{{.url = "https://registry.example:8470", .token = "${env:TOKEN}"},
                           transport_,
                           files_,
                           secrets_};
};

TEST_F(RemoteRegistryTest, ItAsksWithItsTokenWithinBounds) {
  transport_.answer = app::HttpResponse{.status = 304};
  const auto found = registry_.Find("a/b?c", Instant(), "7.0");
  ASSERT_TRUE(found) << found.error().Describe();
  EXPECT_FALSE(*found);
  EXPECT_EQ(transport_.asked.url,
            "https://registry.example:8470/api/v1/registry/sources/a%2Fb%3Fc");
  EXPECT_THAT(transport_.asked.headers, Contains(Pair("Authorization", "Bearer patra_secret")));
  EXPECT_THAT(transport_.asked.headers, Contains(Pair("If-None-Match", "\"7.0\"")));
  EXPECT_LE(transport_.asked.way.body_bytes_max, std::size_t{16} << 20);
  EXPECT_LE(transport_.asked.way.total_timeout, std::chrono::seconds(20));
}

TEST_F(RemoteRegistryTest, WhatItCannotReadIsSaidByWhatCanBeDoneAboutIt) {
  EXPECT_EQ(ErrorOf(401).code, ErrorCode::kRefused);
  EXPECT_THAT(ErrorOf(403).hint, HasSubstr("plan.registry_token"));
  EXPECT_EQ(ErrorOf(503).code, ErrorCode::kUnavailable);
  EXPECT_EQ(ErrorOf(429).code, ErrorCode::kUnavailable);
  for (const auto& error :
       {ErrorOf(404), ErrorOf(304), ErrorOf(302), ErrorOf(200, "<html>"), ErrorOf(200, "[]"),
        ErrorOf(200, R"({"source":"other","version":"1.0","text":null,"until":null})"),
        ErrorOf(200, R"({"source":"demo","text":"source: demo"})"),
        ErrorOf(200, R"({"source":"demo","version":"1.0","text":"a: [","until":null})")}) {
    EXPECT_EQ(error.code, ErrorCode::kCorruption) << error.Describe();
    EXPECT_THAT(error.hint, HasSubstr("same version"));
  }
  transport_.answer = Fail(ErrorCode::kUnavailable, "no connection");
  const auto away = registry_.Codes();
  ASSERT_FALSE(away);
  EXPECT_EQ(away.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(away.error().message, HasSubstr("https://registry.example:8470"));
}

TEST_F(RemoteRegistryTest, ATokenThatIsNotSetIsAskedForBeforeAnythingIsSent) {
  RemoteRegistry registry({.url = "https://registry.example", .token = "${env:OTHER}"}, transport_,
                          files_, secrets_);
  EXPECT_EQ(registry.Codes().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(transport_.asked.url, "");
}

TEST_F(RemoteRegistryTest, NothingIsAppliedThroughIt) {
  for (const auto& refused : {registry_.Apply({}, Instant()), registry_.Diff({}),
                              registry_.Promote(Instant()), registry_.Drop(Instant())}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
    EXPECT_THAT(refused.error().hint, HasSubstr("on the machine that serves it"));
  }
  EXPECT_EQ(transport_.asked.url, "");
}

TEST(RemoteAddress, ATokenStandsInNoConfigurationAndTravelsInNoClearText) {
  const auto check = [](const std::string& url, const std::string& token) {
    return CheckAddress({.url = url, .token = token});
  };
  EXPECT_EQ(check("https://registry.example:8470/", "${env:TOKEN}")->url,
            "https://registry.example:8470");
  EXPECT_TRUE(check("http://127.0.0.1:8470", ""));
  EXPECT_TRUE(check("http://localhost:8470", "${file:/run/secrets/token}"));
  EXPECT_FALSE(check("http://registry.example:8470", "${env:TOKEN}"));
  EXPECT_FALSE(check("http://10.0.0.7:8470", ""));
  EXPECT_FALSE(check("registry.example", ""));
  EXPECT_FALSE(check("https://anna:patra_secret@registry.example", ""));
  const auto clear = check("https://registry.example", "patra_secret");
  ASSERT_FALSE(clear);
  EXPECT_THAT(clear.error().Describe(), Not(HasSubstr("patra_secret")));
}

}  // namespace patra::infra::registry::remote_registry_test
