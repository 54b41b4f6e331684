// Plants secrets in every place where one can travel, lets requests succeed and fail in every way against a
// provider that repeats all it is told, and looks for them in everything that would be written (I11).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "app/send/sender.h"
#include "base/base64.h"
#include "base/canonical_json.h"
#include "base/placement.h"
#include "infra/curl/transport.h"
#include "infra/gate/rate_gate.h"
#include "infra/log/json_log.h"
#include "infra/secrets/system_secrets.h"
#include "infra/sqlite/connection.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"

namespace patra::testing::canary_test {

using namespace std::chrono_literals;
using domain::AuthLocation;
using domain::AuthType;
using infra::sqlite::Connection;

// Each is found in a form of its own only: with characters that are encoded on the way.
const std::vector<std::string> kCanaries = {
    "canary/env key",       "canary+file=key",      "canary&body\"key",  "canary:basic%word",
    "canary/client secret", "canary-token-1.aa/bb", "canary-proxy-word", "canary/signing key"};
constexpr std::string_view kToken = "canary-token-1.aa/bb";

std::string Contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Repeats what it was asked with, in body, headers and redirects.
void Echo(const sim::Request& request, sim::Response& response) {
  if (request.path == "/token") {
    response.body = fmt::format(R"({{"access_token":"{}","expires_in":3600}})", kToken);
    return;
  }
  std::string told = request.target + "\n" + request.body + "\n";
  for (const auto& [name, value] : request.headers) told += name + ": " + value + "\n";
  response.body = told + PercentEncode(told) + PrintJson(Value(told));
  response.SetHeader("X-Told", request.target);
  if (request.path == "/401") response.status = 401;
  if (request.path == "/429") response.status = 429;
  if (request.path == "/500") response.status = 500;
  if (request.path == "/away") {
    response.status = 302;
    response.SetHeader("Location", "http://elsewhere.example/?" + request.query);
  }
  if (request.path == "/astray") {
    response.status = 302;
    response.SetHeader("Location", "http://user:" + request.query + "@elsewhere.example/");
  }
  if (request.path == "/cut") response.delivery.cut_after = 10;
  if (request.path == "/reset") response.delivery.reset_before_head = true;
  if (request.path == "/bomb") response.body = std::string(1'000, 'x') + told;
}

class Canary : public ::testing::Test {
 protected:
  Canary() {
    std::ofstream(hidden_.Path("key")) << kCanaries[1] << "\n";
    setenv("PATRA_CANARY_KEY", kCanaries[0].c_str(), 1);
    setenv("PATRA_CANARY_BODY", kCanaries[2].c_str(), 1);
    setenv("PATRA_CANARY_USER", "robot", 1);
    setenv("PATRA_CANARY_WORD", kCanaries[3].c_str(), 1);
    setenv("PATRA_CANARY_CLIENT", "client", 1);
    setenv("PATRA_CANARY_CLIENT_SECRET", kCanaries[4].c_str(), 1);
    setenv("PATRA_CANARY_PROXY",
           fmt::format("http://robot:{}@{}", kCanaries[6], server_.host()).c_str(), 1);
    setenv("PATRA_CANARY_SIGNING", kCanaries[7].c_str(), 1);
  }
  ~Canary() override {
    for (const auto* name :
         {"KEY", "BODY", "USER", "WORD", "CLIENT", "CLIENT_SECRET", "PROXY", "SIGNING"})
      unsetenv(fmt::format("PATRA_CANARY_{}", name).c_str());
    std::fclose(log_file_);
  }

  std::vector<domain::AuthSpec> Auths() const {
    return {
        {.type = AuthType::kApiKey, .name = "X-Odd-Name", .credentials = {"env:PATRA_CANARY_KEY"}},
        {.type = AuthType::kApiKey,
         .location = AuthLocation::kQuery,
         .name = "odd",
         .credentials = {"file:" + hidden_.Path("key"), "env:PATRA_CANARY_KEY"}},
        {.type = AuthType::kApiKey,
         .location = AuthLocation::kBody,
         .name = "odd",
         .credentials = {"env:PATRA_CANARY_BODY"}},
        {.type = AuthType::kBasic,
         .username = "env:PATRA_CANARY_USER",
         .password = "env:PATRA_CANARY_WORD"},
        {.type = AuthType::kOauth2,
         .name = "Authorization",
         .prefix = "Bearer ",
         .token_url = server_.url("/token"),
         .client_id = "env:PATRA_CANARY_CLIENT",
         .client_secret = "env:PATRA_CANARY_CLIENT_SECRET"},
        {.type = AuthType::kCustom,
         .credentials = {"env:PATRA_CANARY_SIGNING"},
         .signing_hook = "hmac-sha256"}};
  }

  // What an executor would write down.
  void Note(const std::string& what) {
    const auto written = database_->Run("INSERT INTO note (text) VALUES (:text)", {{"text", what}});
    ASSERT_TRUE(written) << written.error().Describe();
    notes_.push_back(what);
  }

  void Exchange(const domain::SpecSnapshot& spec, const std::string& method,
                const std::string& path) {
    const auto source = domain::CompiledSource::Compile(spec).value();
    app::Outgoing outgoing{.source = source,
                           .request = {.method = method, .url = spec.http.base_url + path + "?q=1"},
                           .lineage = {.task = 1, .run = 2}};
    if (method == "POST") {
      outgoing.request.headers = {{"Content-Type", "application/json"}};
      outgoing.request.body = R"({"a":1})";
    }
    outgoing.request.way.body_bytes_max = path == "/bomb" ? 100 : 1'000'000;
    auto sent = sender_.Send(outgoing, [](const auto&) {});
    if (!sent) {
      log_.Write(app::LogLevel::kError, "request.error", {}, {{"error", sent.error().Describe()}});
      return Note(sent.error().Describe());
    }
    ++outcomes_;
    Note(sent->request_digest);
    if (sent->parked) return Note(CanonicalJson(sent->response_digest));
    const auto verdict = sent->response
                             ? domain::JudgeAnswer({.status = sent->response->status,
                                                    .headers = sent->response->headers,
                                                    .received_at = sent->response->received_at},
                                                   spec.retry)
                             : domain::JudgeFailure(*sent->failure, spec.retry);
    Note(verdict.reason);
    log_.Write(app::LogLevel::kWarn, "request.done", sent->lineage, {{"reason", verdict.reason}});
    if (sent->failure) Note(sent->failure->Describe());
    if (sent->response) {
      bodies_ += sent->response->body.size();
      Note(sent->response->body);
      for (const auto& [name, value] : sent->response->headers) Note(name + ": " + value);
    }
    ASSERT_TRUE(sender_.Settle(*sent, verdict));
    Note(CanonicalJson(sent->response_digest));
  }

  TemporaryFolder hidden_;   // where secrets may be
  TemporaryFolder written_;  // where none may be
  LoopbackServer server_{Echo};
  SystemClock clock_;
  PlainGateLedger ledger_;
  std::unique_ptr<infra::gate::RateGate> gate_ =
      *infra::gate::RateGate::Open(written_.Path("store.db-gate"), ledger_, clock_);
  std::unique_ptr<infra::curl::Transport> transport_ =
      *infra::curl::Transport::Create({.allow_loopback = true}, clock_);
  infra::secrets::SystemSecrets secrets_;
  app::Redactor redactor_;
  std::FILE* log_file_ = std::fopen(written_.Path("log").c_str(), "w");
  infra::log::JsonLog lines_{app::LogLevel::kDebug, clock_, log_file_};
  app::RedactingLog log_{lines_, redactor_};
  app::Sender sender_{{*gate_, *transport_, clock_, secrets_, redactor_, log_}};
  std::unique_ptr<Connection> database_ =
      *Connection::Open(written_.Path("store.db"), Connection::Access::kReadWrite);
  std::vector<std::string> notes_;
  int outcomes_ = 0;
  std::size_t bodies_ = 0;
};

TEST_F(Canary, IsNowhere) {
  ASSERT_TRUE(database_->Execute("PRAGMA synchronous = OFF; CREATE TABLE note (text TEXT)"));
  int source = 0;
  for (const auto& auth : Auths()) {
    for (const bool is_proxied : {false, true}) {
      for (const auto* path :
           {"/200", "/500", "/429", "/away", "/astray", "/cut", "/reset", "/bomb", "/401"}) {
        // A source each, so that no breaker or cool-down of one keeps another from being asked.
        domain::SpecSnapshot spec{
            .provenance = fmt::format("s{}", ++source),
            .endpoint = "items",
            .http = {.base_url = is_proxied ? "http://provider.example" : server_.url(),
                     .redirects_max = 3},
            .auth = auth,
            .response = {.items = "$.items"},
            .limits = {{.rate = domain::RateSpec{.requests = 1'000}}}};
        if (is_proxied) spec.http.proxy = "${env:PATRA_CANARY_PROXY}";
        const bool needs_body = auth.location == AuthLocation::kBody;
        Exchange(spec, needs_body ? "POST" : "GET", path);
      }
    }
  }
  EXPECT_GT(outcomes_, 90);
  EXPECT_GT(bodies_, 10'000U);

  // They did travel.
  std::string travelled;
  for (const auto& request : server_.requests()) {
    travelled += request.target + request.body;
    for (const auto& [name, value] : request.headers) travelled += value + "\n";
  }
  for (const auto* sign : {"canary/env key", "canary%2Bfile%3Dkey", "canary&body\\\"key"})
    EXPECT_THAT(travelled, ::testing::HasSubstr(sign));

  database_.reset();
  std::fflush(log_file_);
  std::vector<std::string> places = notes_;
  for (const auto& entry : std::filesystem::directory_iterator(written_.Path(".")))
    places.push_back(Contents(entry.path()));
  EXPECT_GE(places.size(), notes_.size() + 3);
  // Every other spelling begins with this word.
  std::vector<std::string> signs = {"canary"};
  for (const auto& canary : kCanaries) signs.push_back(Base64(canary));
  for (const auto& place : places) {
    for (const auto& sign : signs)
      EXPECT_EQ(place.find(sign), std::string::npos) << sign << " in " << place.substr(0, 2'000);
  }
}

}  // namespace patra::testing::canary_test
