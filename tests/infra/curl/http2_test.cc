// The transport over HTTP/2, against a server that somebody else wrote: Node's. Without node and openssl on the
// machine this is skipped.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "infra/curl/transport.h"
#include "tests/child_process.h"
#include "tests/temporary_folder.h"

namespace patra::testing::http2_test {

using namespace std::chrono_literals;

constexpr const char* kServer = R"js(
const fs = require('fs');
const server = require('http2').createSecureServer(
    {key: fs.readFileSync(process.argv[2] + '/key'), cert: fs.readFileSync(process.argv[2] + '/cert')},
    (request, response) => {
      response.setHeader('X-Connection', String(request.stream.session.patraNumber));
      response.end(request.url.startsWith('/large') ? 'x'.repeat(300000) : 'HTTP/' + request.httpVersion);
    });
let connections = 0;
server.on('session', session => { session.patraNumber = ++connections; });
server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync(process.argv[2] + '/port.new', String(server.address().port));
  fs.renameSync(process.argv[2] + '/port.new', process.argv[2] + '/port');
});
)js";

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string AwaitFile(const std::string& path) {
  SystemClock clock;
  const auto deadline = clock.Elapsed() + 30s;
  while (clock.Elapsed() < deadline) {
    if (auto text = Contents(path); !text.empty()) return text;
    clock.SleepFor(10ms);
  }
  return {};
}

TEST(CurlTransportOverHttp2, BringsAnswersOverOneConnection) {
  TemporaryFolder folder;
  auto openssl =
      ChildProcess::Start({"/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                           "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder.Path("key"),
                           "-out", folder.Path("cert.new"), "-days", "2", "-subj", "/CN=127.0.0.1",
                           "-addext", "subjectAltName=IP:127.0.0.1"},
                          folder.Path("log"));
  ASSERT_TRUE(openssl);
  if (openssl->AwaitUntil(SystemClock().Elapsed() + 30s) != 0)
    GTEST_SKIP() << "there is no openssl";
  std::filesystem::rename(folder.Path("cert.new"), folder.Path("cert"));
  std::ofstream(folder.Path("server.js")) << kServer;
  auto server = ChildProcess::Start(
      {"/usr/bin/env", "node", folder.Path("server.js"), folder.Path(".")}, folder.Path("log"));
  ASSERT_TRUE(server);
  if (server->AwaitUntil(SystemClock().Elapsed() + 200ms) == 127)
    GTEST_SKIP() << "there is no node";
  const auto port = AwaitFile(folder.Path("port"));
  ASSERT_FALSE(port.empty()) << Contents(folder.Path("log"));

  SystemClock clock;
  const auto transport = infra::curl::Transport::Create(
      {.allow_loopback = true, .certificate_authorities = Contents(folder.Path("cert"))}, clock);
  ASSERT_TRUE(transport);
  for (int i = 0; i < 3; ++i) {
    const auto answer =
        (*transport)->Send({.url = fmt::format("https://127.0.0.1:{}/small?{}", port, i)});
    ASSERT_TRUE(answer) << answer.error().Describe();
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "HTTP/2.0");
    EXPECT_TRUE(answer->is_framed) << "frames say where it ends, without a length";
    ASSERT_NE(answer->Header("X-Connection"), nullptr);
    EXPECT_EQ(*answer->Header("X-Connection"), "1");
  }
  const auto large = (*transport)->Send({.url = fmt::format("https://127.0.0.1:{}/large", port)});
  ASSERT_TRUE(large) << large.error().Describe();
  EXPECT_EQ(large->body.size(), 300'000u);
}

}  // namespace patra::testing::http2_test
