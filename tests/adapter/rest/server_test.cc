// The server on a real socket, and those who do not keep to the rules.
#include "adapter/rest/server.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/rest/fake_services.h"
#include "tests/adapter/rest/raw_client.h"
#include "tests/temporary_folder.h"

namespace patra::adapter::rest::server_test {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RawClient;
using ::testing::StartsWith;

constexpr std::string_view kHost = "Host: localhost\r\n";

std::string GetRequest(const std::string& target) {
  return fmt::format("GET {} HTTP/1.1\r\n{}\r\n", target, kHost);
}

std::string PostRequest(const std::string& target, std::string_view headers,
                        std::string_view body) {
  return fmt::format("POST {} HTTP/1.1\r\n{}Content-Type: application/json\r\n{}\r\n{}", target,
                     kHost, headers, body);
}

class ServerTest : public ::testing::Test {
 protected:
  void Serve() {
    auto server = Server::Start(options_, services_, clock_);
    ASSERT_TRUE(server) << server.error().Describe();
    server_ = *std::move(server);
  }
  std::string Ask(const std::string& bytes) {
    RawClient client(server_->address());
    EXPECT_TRUE(client.Say(bytes));
    return client.Hear();
  }
  // Waits for what network threads notice by themselves.
  template <typename Condition>
  static bool Eventually(const Condition& condition) {
    for (int i = 0; i < 2'000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  VirtualClock clock_{Instant(std::chrono::hours(1))};
  FakeRestServices services_{clock_};
  ServerOptions options_{.listen = "127.0.0.1:0", .bounds = {.body_bytes_max = 2'000}};
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, AnswersOneRequestAfterTheOtherOnOneConnection) {
  Serve();
  RawClient client(server_->address());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Say(GetRequest("/api/v1/status")));
    EXPECT_THAT(client.Hear(), StartsWith("HTTP/1.1 200 "));
  }
  ASSERT_TRUE(client.Say(PostRequest("/api/v1/fuses/reset", "Content-Length: 34\r\n",
                                     R"({"target":"demo","reason":"fixed"})")));
  EXPECT_THAT(client.Hear(), HasSubstr(R"({"target":"demo"})"));
}

TEST_F(ServerTest, AnswersRequestsThatWereSentAtOnceInTheirOrder) {
  Serve();
  RawClient client(server_->address());
  ASSERT_TRUE(
      client.Say(GetRequest("/healthz") + GetRequest("/api/v1/nothing") + GetRequest("/readyz")));
  EXPECT_THAT(client.Hear(), HasSubstr("alive"));
  EXPECT_THAT(client.Hear(), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(client.Hear(), HasSubstr("ready"));
}

TEST_F(ServerTest, TheHeadOfAnAnswerIsThatOfTheAnswer) {
  Serve();
  const auto answer = Ask("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 18"));
}

TEST_F(ServerTest, BodiesInPiecesAreReadAndThoseThatAreTooLongAreRefused) {
  Serve();
  EXPECT_THAT(
      Ask(PostRequest("/api/v1/fuses/reset", "Transfer-Encoding: chunked\r\n",
                      "11\r\n{\"target\":\"demo\",\r\n11\r\n\"reason\":\"fixed\"}\r\n0\r\n\r\n")),
      StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Ask(PostRequest("/api/v1/fuses/reset", "Content-Length: 2001\r\n", "")),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(
      Ask(PostRequest("/api/v1/fuses/reset", "Content-Length: 99999999999999999999\r\n", "")),
      AnyOf(StartsWith("HTTP/1.1 413 "), StartsWith("HTTP/1.1 400 ")));
  EXPECT_THAT(Ask(PostRequest("/api/v1/fuses/reset", "Transfer-Encoding: chunked\r\n",
                              "bb8\r\n" + std::string(3'000, 'x') + "\r\n0\r\n\r\n")),
              StartsWith("HTTP/1.1 413 "));
  RawClient endless(server_->address());
  ASSERT_TRUE(endless.Say(
      PostRequest("/api/v1/fuses/reset", "Transfer-Encoding: chunked\r\n", "ffffff\r\n")));
  while (endless.Say(std::string(1'000, 'x'))) {
  }
  EXPECT_TRUE(endless.IsHungUp());
}

TEST_F(ServerTest, WhatIsNoHttpDisturbsNobody) {
  Serve();
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 9), std::string("\r\n\r\n\r\n"),
        std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("GET /api/v1/status HTTP/1.1\r\n\r\n"),
        std::string("GET /n\0api HTTP/1.1\r\nHost: localhost\r\n\r\n", 40),
        std::string("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"),
        std::string("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n"),
        PostRequest("/api/v1/fuses/reset", "Transfer-Encoding: chunked\r\n",
                    "zz\r\nxx\r\n0\r\n\r\n"),
        PostRequest("/api/v1/fuses/reset", "Transfer-Encoding: chunked\r\n",
                    "fffffffffffffffff1\r\nx\r\n0\r\n\r\n"),
        PostRequest("/api/v1/fuses/reset", "Content-Length: -1\r\n", "x"),
        "GET /" + std::string(60'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(60'000, 'a') + "\r\n\r\n", [] {
          std::string many = "GET / HTTP/1.1\r\nHost: localhost\r\n";
          for (int i = 0; i < 10'000; ++i) many += fmt::format("X-{}: y\r\n", i);
          return many + "\r\n";
        }()}) {
    RawClient client(server_->address());
    client.Say(bytes);
    const auto answer = client.Hear(std::chrono::milliseconds(300));
    EXPECT_THAT(answer, AnyOf(IsEmpty(), StartsWith("HTTP/1.1 4"), StartsWith("HTTP/1.1 5"),
                              StartsWith("HTTP/1.0 4"), StartsWith("HTTP/1.0 5")))
        << bytes.substr(0, 60);
    EXPECT_THAT(Ask(GetRequest("/healthz")), HasSubstr("alive"));
  }
}

TEST_F(ServerTest, WhoSendsAByteNowAndThenIsHungUpOn) {
  Serve();
  RawClient slow_line(server_->address()), slow_headers(server_->address()),
      slow_body(server_->address()), idle(server_->address());
  slow_line.Say("GET /he");
  slow_headers.Say("GET /healthz HTTP/1.1\r\nHost: loc");
  slow_body.Say(PostRequest("/api/v1/fuses/reset", "Content-Length: 100\r\n", "{"));
  ASSERT_TRUE(Eventually([&] { return server_->connections() == 4; }));
  // A busy machine reads some of it late, and counts from there.
  EXPECT_TRUE(Eventually([&] {
    clock_.Advance(std::chrono::seconds(1));
    slow_line.Say("a");
    slow_headers.Say("a");
    slow_body.Say(" ");
    return server_->connections() == 0;
  }));
  EXPECT_TRUE(slow_line.IsHungUp());
  EXPECT_TRUE(slow_headers.IsHungUp());
  EXPECT_TRUE(slow_body.IsHungUp());
  EXPECT_TRUE(idle.IsHungUp());
}

TEST_F(ServerTest, AThousandIdleConnectionsAreBoundedAndGoAwayInTime) {
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  const int wanted = files.rlim_cur > 2'500 ? 1'000 : 300;
  options_.bounds.connections_max = 200;
  options_.bounds.connections_per_address_max = 150;
  Serve();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < wanted; ++i) idle.push_back(std::make_unique<RawClient>(server_->address()));
  ASSERT_TRUE(Eventually([&] { return server_->connections() == 150; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(server_->connections(), 150u);
  EXPECT_TRUE(Eventually([&] {
    clock_.Advance(std::chrono::seconds(31));
    return server_->connections() == 0;
  }));
  EXPECT_THAT(Ask(GetRequest("/healthz")), HasSubstr("alive"));
}

TEST_F(ServerTest, TwoServersDoNotShareAnAddress) {
  Serve();
  const auto second = Server::Start({.listen = server_->address()}, services_, clock_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_THAT(second.error().hint, HasSubstr("another port"));
  for (const std::string address : {"", "8080", "example.org:80", "127.0.0.1:70000", "1.2.3.4:0"})
    EXPECT_FALSE(Server::Start({.listen = address}, services_, clock_)) << address;
}

TEST_F(ServerTest, CertificatesThatCannotServeAreRefusedInWords) {
  testing::TemporaryFolder folder;
  const auto file = folder.Path("key.pem");
  std::ofstream(file) << "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";
  options_.certificate_file = file;
  const auto start = [&] { return Server::Start(options_, services_, clock_).error(); };
  EXPECT_THAT(start().message, HasSubstr("a certificate and its key"));
  options_.key_file = folder.Path("nothing.pem");
  EXPECT_THAT(start().message, HasSubstr("cannot be read"));
  options_.key_file = file;
  ASSERT_EQ(chmod(file.c_str(), 0644), 0);
  EXPECT_THAT(start().message, HasSubstr("everybody on this machine may read"));
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  EXPECT_THAT(start().message, HasSubstr("this certificate and key"));
}

TEST_F(ServerTest, StoppingEndsWhatIdlesAndRefusesNewcomers) {
  Serve();
  RawClient idle(server_->address());
  ASSERT_TRUE(Eventually([&] { return server_->connections() == 1; }));
  const auto address = server_->address();
  server_->Stop(std::chrono::seconds(5));
  EXPECT_TRUE(idle.IsHungUp());
  EXPECT_FALSE(RawClient(address).is_open());
  server_->Stop(std::chrono::seconds(5));
}

TEST_F(ServerTest, WhoHangsUpBeforeTheAnswerTakesNothingAway) {
  Serve();
  for (int i = 0; i < 200; ++i) {
    RawClient client(server_->address());
    client.Say(GetRequest("/api/v1/status"));
  }
  // More than one address may have at a time, until it is noticed that they are gone.
  EXPECT_TRUE(Eventually([&] { return Ask(GetRequest("/healthz")).contains("alive"); }));
  EXPECT_TRUE(Eventually([&] { return server_->connections() <= 1; }));
}

}  // namespace patra::adapter::rest::server_test
