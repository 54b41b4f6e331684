#include "app/send/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "tests/app/send/send_fixture.h"

namespace patra::testing::redaction_test {

using app::Redactor;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Redaction, FindsKnownSecretsInEverySpelling) {
  Redactor redactor;
  redactor.Learn("p/ss w\"rd+é=");
  for (const std::string text : {"p/ss w\"rd+é=", "p%2Fss%20w%22rd%2B%C3%A9%3D",
                                 "p%2fss%20w%22rd%2b%c3%a9%3d", "p%2Fss+w%22rd%2B%C3%A9%3D",
                                 R"(p/ss w\"rd+é=)", R"(p\/ss w\"rd+é=)", "cC9zcyB3InJkK8OpPQ=="}) {
    std::string body = "before " + text + " after";
    EXPECT_TRUE(redactor.Contains(body)) << text;
    EXPECT_TRUE(redactor.RedactBody(body)) << text;
    EXPECT_EQ(body, "before *** after");
  }
}

TEST(Redaction, FindsKnownSecretsWhoseCharactersAreEscapedInAnyWay) {
  Redactor redactor;
  redactor.Learn("key+of/eve");
  for (const std::string text :
       {R"(key\u002Bof/eve)", R"(key\u002bof\/eve)", R"(\u006bey+of/eve)", "key&#43;of/eve",
        "key&#x2B;of&#47;eve", "k&#101;y+of/eve", "key%2Bof/eve", "key%252bof/eve"}) {
    std::string body = "before " + text + " after " + text;
    EXPECT_TRUE(redactor.Contains(body)) << text;
    EXPECT_TRUE(redactor.IsInData(body)) << text;
    EXPECT_TRUE(redactor.RedactBody(body)) << text;
    EXPECT_EQ(body, "before *** after ***");
    EXPECT_EQ(redactor.Redact("x " + text), "x ***");
  }
}

TEST(Redaction, MasksOfPeoplesDataHaveMarksByWhichTheyCanBeCompared) {
  const Redactor redactor("the store's key");
  const auto mail = redactor.Redact("from ann.lee@example.org, again Ann.Lee@Example.org.");
  const auto first = mail.find('#');
  ASSERT_NE(first, std::string::npos) << mail;
  const auto mark = mail.substr(first, 7);
  EXPECT_EQ(mail, "from ***@example.org" + mark + ", again ***@Example.org" + mark + ".");
  EXPECT_THAT(redactor.Redact("bob@example.org"), Not(HasSubstr(mark)));
  EXPECT_THAT(redactor.Redact("13800138000"), ::testing::MatchesRegex("[*]{3}#[0-9a-f]{6}"));
  EXPECT_THAT(redactor.Redact("id 11010519491231002X"),
              ::testing::MatchesRegex("id [*]{3}#[0-9a-f]{6}"));
  EXPECT_EQ(redactor.Redact(mail), mail) << "twice is the same as once";
  EXPECT_THAT(Redactor("another key").Redact("ann.lee@example.org"), Not(HasSubstr(mark)));
  EXPECT_EQ(redactor.RedactUnmarked("ann.lee@example.org"), "***@example.org");
  EXPECT_EQ(Redactor().Redact("ann.lee@example.org"), "***@example.org");
}

TEST(Redaction, ASecretBehindAnAddressIsNotSparedForItsMark) {
  const Redactor redactor("the store's key");
  for (const std::string text : {"a@b.token=hunter22", "a@b.org?api_key=hunter22",
                                 "a@b.org password=hunter22", "a@b.org,\"password\":\"hunter22\""})
    EXPECT_THAT(redactor.Redact(text), Not(HasSubstr("hunter22"))) << redactor.Redact(text);
}

TEST(Redaction, AShortSecretIsMaskedForPeopleAndNeverInData) {
  Redactor redactor;
  redactor.Learn("guest");
  EXPECT_EQ(redactor.Redact("GET /?u=guest"), "GET /?u=***");
  std::string body = R"({"id":"guest-1"})";
  EXPECT_FALSE(redactor.IsInData(body));
  EXPECT_FALSE(redactor.RedactBody(body));
  EXPECT_EQ(body, R"({"id":"guest-1"})");
  EXPECT_FALSE(redactor.IsNewlyEchoed("nobody"));
  EXPECT_TRUE(redactor.IsNewlyEchoed(body));
  EXPECT_FALSE(redactor.IsNewlyEchoed(body)) << "once is enough";
  EXPECT_TRUE(redactor.IsNewlyShort("guest"));
  EXPECT_FALSE(redactor.IsNewlyShort("guest"));
  EXPECT_FALSE(redactor.IsNewlyShort("long enough"));
}

TEST(Redaction, OfDataKeepsItsShape) {
  Redactor redactor;
  redactor.Learn("hunter-22");
  const Value value =
      Value::Object{{"password", "kept"}, {"hunter-22", Value::Array{1, "a hunter-22 b"}}};
  EXPECT_EQ(PrintJson(redactor.RedactData(value)), R"({"***":[1,"a *** b"],"password":"kept"})");
}

TEST(Redaction, FindsASecretInHexAndInBase64WithAndWithoutPadding) {
  Redactor redactor;
  redactor.Learn("key>>with\?\?20bytes!!x");
  for (const std::string text :
       {"6b65793e3e776974683f3f323062797465732121"
        "78",
        "6B65793E3E776974683F3F323062797465732121"
        "78",
        "a2V5Pj53aXRoPz8yMGJ5dGVzISF4", "a2V5Pj53aXRoPz8yMGJ5dGVzISF4=="}) {
    std::string body = "before " + text + " after";
    EXPECT_TRUE(redactor.RedactBody(body)) << text;
    EXPECT_EQ(body.find(text.substr(0, 20)), std::string::npos);
  }
  Redactor other;
  other.Learn("~~~\?\?\?>>>a");
  for (const std::string text : {"fn5+Pz8/Pj4+YQ", "fn5-Pz8_Pj4-YQ", "fn5+Pz8/Pj4+YQ=="}) {
    std::string body = text;
    EXPECT_TRUE(other.RedactBody(body)) << text;
  }
}

TEST(Redaction, FindsASecretInsideOfALongerTextInBase64) {
  const std::string secret = "a-secret-of-20-bytes";
  Redactor redactor;
  redactor.Learn(secret);
  for (const std::string before : {"", "u", "us", "use", "user:"}) {
    for (const std::string behind : {"", "x", "xy", "xyz"}) {
      auto body = Base64(before + secret + behind);
      EXPECT_TRUE(redactor.RedactBody(body)) << before << behind;
      EXPECT_EQ(body.find(Base64(before + secret).substr(8, 12)), std::string::npos);
    }
  }
}

TEST(Redaction, LeavesBodiesWithoutSecretsAsTheyAre) {
  Redactor redactor;
  redactor.Learn("secret-1");
  std::string body = R"({"token":"next-page","api_key":"somebody@example.org"})";
  const auto before = body;
  EXPECT_FALSE(redactor.RedactBody(body));
  EXPECT_EQ(body, before);
}

TEST(Redaction, ReplacesWhatIsNamedASecretInTexts) {
  struct Case {
    const char* text;
    const char* redacted;
  };
  const Redactor redactor;
  for (const auto& [text, redacted] : std::to_array<Case>({
           {"GET /x?api_key=abc&q=1", "GET /x?api_key=***&q=1"},
           {"/x?q=1&API_KEY=abc", "/x?q=1&API_KEY=***"},
           {"Authorization: Bearer abc.def", "Authorization: ***"},
           {"authorization: Basic abc\nAccept: x", "authorization: ***\nAccept: x"},
           {R"({"token":"abc","page":"2"})", R"({"token":"***","page":"2"})"},
           {R"({"password" : "a b"})", R"({"password" : "***"})"},
           {"password='a b' x", "password='***' x"},
           {"http://me:word@proxy:3128/x", "http://***@proxy:3128/x"},
           {"Set-Cookie: id=1; Path=/", "Set-Cookie: ***"},
           {"mail to jane.doe@example.org now", "mail to ***@example.org now"},
           {"call 13800138000, id 11010519491231002X.", "call ***, id ***."},
           {"run 110105194912310021", "run 110105194912310021"},
           {"no token: here", "no token: here"},
           {"the api_key is wrong", "the api_key is wrong"},
           {"page_token=abc", "page_token=abc"},
           {"4711@1763190000", "4711@1763190000"},
           {"api_key=", "api_key="},
           {"", ""},
       })) {
    EXPECT_EQ(redactor.Redact(text), redacted);
  }
}

TEST(Redaction, TwiceIsTheSameAsOnce) {
  const Redactor redactor;
  const auto once = redactor.Redact("GET ://api_key=s/e&user@host");
  EXPECT_EQ(redactor.Redact(once), once);
  EXPECT_EQ(once, "GET ://***@host");
}

TEST(Redaction, OfValuesGoesByNameAndValue) {
  Redactor redactor;
  redactor.Learn("hunter-2");
  const Value value = Value::Object{
      {"Authorization", "x"},
      {"list", Value::Array{"hunter-2", 1, Value::Object{{"Password", Value::Array{1}}}}}};
  EXPECT_EQ(PrintJson(redactor.RedactValue(value)),
            R"({"Authorization":"***","list":["***",1,{"Password":"***"}]})");
}

TEST(Redaction, TooShortSecretsDoNotShredTexts) {
  Redactor redactor;
  redactor.Learn("e");
  redactor.Learn("");
  EXPECT_EQ(redactor.Redact("every letter"), "every letter");
}

TEST(Redaction, RemembersTheLatestSecretsOnly) {
  Redactor redactor;
  for (std::size_t i = 0; i <= Redactor::kSecretsMax; ++i)
    redactor.Learn("secret-number-" + std::to_string(1'000 + i));
  EXPECT_FALSE(redactor.Contains("secret-number-1000"));
  EXPECT_TRUE(redactor.Contains("secret-number-1256"));
}

TEST(Redaction, OfALog) {
  Redactor redactor;
  redactor.Learn("hunter-2");
  RecordingLog inner;
  app::RedactingLog log(inner, redactor);
  log.Write(app::LogLevel::kWarn, "x", {.run = 3}, {{"url", "http://a/?k=hunter-2"}});
  ASSERT_EQ(inner.lines.size(), 1U);
  EXPECT_EQ(PrintJson(inner.lines[0].details), R"({"url":"http://a/?k=***"})");
  EXPECT_EQ(inner.lines[0].lineage.run, 3);
}

}  // namespace patra::testing::redaction_test
