// libcurl against providers that behave, and many that do not.
#include "infra/curl/transport.h"

#include <brotli/encode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <future>
#include <thread>

#include "tests/loopback_server.h"
#include "tests/raw_server.h"

namespace patra::testing::transport_test {

using namespace std::chrono_literals;
using app::HttpRequest;
using sim::Delivery;
using ::testing::HasSubstr;

std::string Gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

class CurlTransport : public ::testing::Test {
 protected:
  Result<app::HttpResponse> Send(const HttpRequest& request) {
    return Make({.allow_loopback = true})->Send(request);
  }
  std::unique_ptr<infra::curl::Transport> Make(const infra::curl::TransportOptions& options) {
    return *infra::curl::Transport::Create(options, clock_);
  }

  SystemClock clock_;
};

TEST_F(CurlTransport, AnAnswerThatTricklesIsInterruptedSoonAfterSomebodyAsksToStop) {
  LoopbackServer trickling([](const auto&, auto& response) {
    response.body = std::string(1'000, 'x');
    response.delivery.drip_bytes = 1;
    response.delivery.drip_pause = 50ms;
  });
  LoopbackServer silent([](const auto&, auto& response) { response.delivery.delay = 30s; });
  for (const auto* server : {&trickling, &silent}) {
    app::StopRequest stop;
    const auto transport = Make({.allow_loopback = true, .stop = &stop});
    auto sent =
        std::async(std::launch::async, [&] { return transport->Send({.url = server->url()}); });
    while (server->requests().empty()) std::this_thread::yield();
    const auto asked_at = clock_.Elapsed();
    stop.Ask();
    const auto response = sent.get();
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::kCancelled) << response.error().Describe();
    EXPECT_LT(clock_.Elapsed() - asked_at, 2s);
  }
}

TEST_F(CurlTransport, AnAnswerThatIsNearlyThereIsWaitedForWhoeverAsksToStop) {
  LoopbackServer server([](const auto&, auto& response) {
    response.body = "{}";
    response.delivery.delay = 100ms;
  });
  app::StopRequest stop;
  stop.Ask();
  EXPECT_TRUE(Make({.allow_loopback = true, .stop = &stop})->Send({.url = server.url()}));
}

TEST_F(CurlTransport, BringsStatusHeadersBodyAndLatency) {
  LoopbackServer server([](const auto&, auto& response) {
    response.status = 418;
    response.content_type = "text/plain";
    response.SetHeader("X-One", "1");
    response.body = "hello";
  });
  const auto response = Send({.url = server.url("/a?b=c"), .headers = {{"Accept", "*/*"}}});
  ASSERT_TRUE(response) << response.error().Describe();
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->content_type, "text/plain");
  EXPECT_EQ(*response->Header("x-one"), "1");
  EXPECT_EQ(response->body, "hello");
  EXPECT_TRUE(response->is_framed);
  EXPECT_EQ(server.requests()[0].target, "/a?b=c");
}

// The timers of our end of the connections to that port, as the kernel shows them: "02" is that of the probes.
std::vector<std::string> TimersOfConnectionsTo(int port) {
  std::ifstream table("/proc/net/tcp");
  const auto remote = fmt::format(":{:04X}", port);
  std::vector<std::string> timers;
  std::string number, local, to, state, queues, timer, rest;
  std::getline(table, rest);
  while (table >> number >> local >> to >> state >> queues >> timer && std::getline(table, rest)) {
    if (to.ends_with(remote) && state == "01") timers.push_back(timer.substr(0, 2));
  }
  return timers;
}

// A provider's machine that was started anew while we wait for its answer never sends one; asked whether the connection
// still stands, it says no.
TEST_F(CurlTransport, AConnectionOnWhichWeWaitIsProbed) {
  std::promise<void> may_answer;
  LoopbackServer server(
      [answer = may_answer.get_future().share()](const auto&, auto&) { answer.wait(); });
  std::jthread asking([&] { EXPECT_TRUE(Send({.url = server.url("/")})); });
  const auto port = std::stoi(server.host().substr(server.host().find(':') + 1));
  std::vector<std::string> timers;
  for (int tries = 0; tries < 1'000 && timers != std::vector<std::string>{"02"}; ++tries) {
    timers = TimersOfConnectionsTo(port);
    std::this_thread::sleep_for(5ms);
  }
  may_answer.set_value();
  EXPECT_EQ(timers, std::vector<std::string>{"02"});
}

TEST_F(CurlTransport, AMachineWithoutDescriptorsIsNotTheProvidersFault) {
#ifdef PATRA_SANITIZED
  GTEST_SKIP() << "UBSan itself opens a pipe to look whether memory can be read";
#endif
  const LoopbackServer server([](const auto&, auto&) {});
  const auto transport = Make({.allow_loopback = true});
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  auto none = before;
  none.rlim_cur = 3;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto response = transport->Send({.url = server.url("/")});
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kExhausted) << response.error().Describe();
}

TEST_F(CurlTransport, DoesNotFollowRedirects) {
  LoopbackServer server([](const auto&, auto& response) {
    response.status = 302;
    response.SetHeader("Location", "/elsewhere");
  });
  EXPECT_EQ(Send({.url = server.url("/")})->status, 302);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(CurlTransport, UnpacksWhatItAskedFor) {
  const std::string text(100'000, 'x');
  LoopbackServer server([&](const sim::Request& request, auto& response) {
    ASSERT_NE(request.Header("accept-encoding"), nullptr);
    EXPECT_EQ(*request.Header("accept-encoding"), "gzip, br, zstd");
    if (request.path == "/gzip") {
      response.SetHeader("Content-Encoding", "gzip");
      response.body = Gzipped(text.substr(0, 10)) + Gzipped(text.substr(10));
    } else if (request.path == "/br") {
      response.SetHeader("Content-Encoding", "br");
      std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
      response.body.resize(size);
      ASSERT_TRUE(BrotliEncoderCompress(BROTLI_DEFAULT_QUALITY, BROTLI_DEFAULT_WINDOW,
                                        BROTLI_MODE_TEXT, text.size(),
                                        reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                                        reinterpret_cast<std::uint8_t*>(response.body.data())));
      response.body.resize(size);
    } else {
      response.SetHeader("Content-Encoding", "zstd");
      response.body.resize(ZSTD_compressBound(text.size()));
      response.body.resize(
          ZSTD_compress(response.body.data(), response.body.size(), text.data(), text.size(), 3));
    }
  });
  EXPECT_EQ(Send({.url = server.url("/gzip")})->body, text);
  EXPECT_EQ(Send({.url = server.url("/br")})->body, text);
  EXPECT_EQ(Send({.url = server.url("/zstd")})->body, text);
}

TEST_F(CurlTransport, AsksForPlainBodiesWhereCompressionIsOff) {
  LoopbackServer server([](const sim::Request& request, auto&) {
    EXPECT_EQ(request.Header("accept-encoding"), nullptr);
  });
  ASSERT_TRUE(Send({.url = server.url("/"), .way = {.compression = false}}));
}

struct Cut {
  const char* name;
  std::function<void(sim::Response&)> how;
};

class CutResponse : public CurlTransport, public ::testing::WithParamInterface<Cut> {};

TEST_P(CutResponse, IsNoResponse) {
  LoopbackServer server([](const auto&, auto& response) {
    response.body = std::string(5'000, 'x');
    GetParam().how(response);
  });
  const auto response = Send({.url = server.url("/"), .way = {.total_timeout = 5s}});
  ASSERT_FALSE(response) << "a body of " << response->body.size() << " bytes";
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable) << response.error().Describe();
}

INSTANTIATE_TEST_SUITE_P(
    Ways, CutResponse,
    ::testing::Values(Cut{"ShorterThanItsLength",
                          [](auto& r) {
                            r.delivery.declared_bytes = 6'000;
                            r.delivery.end = Delivery::End::kClose;
                          }},
                      Cut{"CutAtItsLength", [](auto& r) { r.delivery.cut_after = 4'999; }},
                      Cut{"CutChunks",
                          [](auto& r) {
                            r.delivery.framing = Delivery::Framing::kChunked;
                            r.delivery.cut_after = 3'000;
                          }},
                      Cut{"CutGzip",
                          [](auto& r) {
                            r.SetHeader("Content-Encoding", "gzip");
                            r.body = Gzipped(r.body);
                            r.body.resize(r.body.size() - 1);
                          }},
                      Cut{"NoGzipAtAll", [](auto& r) { r.SetHeader("Content-Encoding", "gzip"); }},
                      Cut{"CutZstd",
                          [](auto& r) {
                            std::string packed(ZSTD_compressBound(r.body.size()), '\0');
                            packed.resize(ZSTD_compress(packed.data(), packed.size(), r.body.data(),
                                                        r.body.size(), 3));
                            packed.resize(packed.size() - 2);
                            r.body = packed;
                            r.SetHeader("Content-Encoding", "zstd");
                          }},
                      Cut{"NoBrotli", [](auto& r) { r.SetHeader("Content-Encoding", "br"); }},
                      Cut{"Reset", [](auto& r) { r.delivery.reset_before_head = true; }},
                      Cut{"ResetInBody",
                          [](auto& r) {
                            r.delivery.cut_after = 100;
                            r.delivery.end = Delivery::End::kReset;
                          }}),
    [](const auto& test) { return test.param.name; });

TEST_F(CurlTransport, SaysWhereABodyThatEndsWithItsConnectionMayHaveBeenCut) {
  LoopbackServer server([](const auto&, auto& response) {
    response.body = "all of it?";
    response.delivery.framing = Delivery::Framing::kUntilClose;
    response.delivery.end = Delivery::End::kClose;
  });
  const auto response = Send({.url = server.url("/")});
  ASSERT_TRUE(response);
  EXPECT_FALSE(response->is_framed);
}

TEST_F(CurlTransport, RefusesPackingsWithinPackingsAndUnknownOnes) {
  for (const auto* encoding : {"gzip, gzip", "compress", "gzip, br"}) {
    LoopbackServer server([&](const auto&, auto& response) {
      response.SetHeader("Content-Encoding", encoding);
      response.body = "x";
    });
    const auto response = Send({.url = server.url("/")});
    ASSERT_FALSE(response) << encoding;
    EXPECT_EQ(response.error().code, ErrorCode::kInvalidInput);
  }
}

TEST_F(CurlTransport, StopsAtTheBoundsOfTheRequest) {
  LoopbackServer server([](const sim::Request& request, auto& response) {
    if (request.path == "/bomb") {
      response.SetHeader("Content-Encoding", "gzip");
      response.body = Gzipped(std::string(20'000'000, 'x'));
    } else if (request.path == "/header") {
      response.SetHeader("X-Long", std::string(50'000, 'h'));
    } else {
      response.body = std::string(2'000, 'x');
    }
    if (request.path == "/longer") response.SetHeader("X-Long", std::string(1'000'000, 'h'));
  });
  const app::HttpWay way{.body_bytes_max = 1'000, .header_bytes_max = 10'000};
  for (const auto* path : {"/bomb", "/header", "/longer", "/body"}) {
    const auto response = Send({.url = server.url(path), .way = way});
    ASSERT_FALSE(response) << path;
    EXPECT_EQ(response.error().code, ErrorCode::kLimit) << response.error().Describe();
  }
}

TEST_F(CurlTransport, AnswersThatSomebodyHoldsTakeRoomFromTheOthers) {
  LoopbackServer server([](const auto&, auto& response) {
    response.SetHeader("Content-Encoding", "gzip");
    response.body = Gzipped(std::string(400'000, 'x'));
  });
  const auto transport = infra::curl::Transport::Create(
      {.allow_loopback = true, .bodies_bytes_max = 1'000'000}, clock_);
  ASSERT_TRUE(transport);
  const auto send = [&] { return (*transport)->Send({.url = server.url("/")}); };
  auto first = send();
  auto second = send();
  ASSERT_TRUE(first && second);
  const auto third = send();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kExhausted) << third.error().Describe();
  first = second;
  EXPECT_TRUE(send()) << "what nobody holds any more makes room";
}

TEST_F(CurlTransport, GivesUpOnASlowAnswer) {
  LoopbackServer server([](const auto&, auto& response) {
    response.body = "late";
    response.delivery.delay = 5s;
  });
  const auto response = Send({.url = server.url("/"), .way = {.total_timeout = 100ms}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
}

TEST_F(CurlTransport, NothingInARequestCanBecomeALineOfItsOwn) {
  LoopbackServer server([](const auto&, auto&) {});
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"X", "a\r\nEvil: 1"},
      {"X", "a\nEvil: 1"},
      {"X", std::string("a\0b", 3)},
      {"X", "caf\xC3\xA9"},
      {"X\r\nEvil", "1"},
      {"X Y", "1"},
      {"", "1"},
      {"X:Y", "1"},
      {"Transfer-Encoding", "chunked"},
      {"Host", "evil"},
      {"content-length", "0"},
      {"X", " a"}};
  for (const auto& header : headers) {
    const auto sent = Send({.url = server.url("/"), .headers = {header}});
    ASSERT_FALSE(sent) << header.first << ": " << header.second;
    EXPECT_EQ(sent.error().code, ErrorCode::kInvalidInput);
  }
  for (const auto* path : {"/a b", "/a\r\nEvil: 1", "/a\n", "/caf\xC3\xA9", "/a\x7F", "/\\evil"}) {
    const auto sent = Send({.url = server.url(path)});
    ASSERT_FALSE(sent) << path;
    EXPECT_EQ(sent.error().code, ErrorCode::kInvalidInput);
  }
  EXPECT_FALSE(Send({.url = server.url("/") + std::string("\0x", 2)}));
  for (const auto* method : {"GET /evil HTTP/1.1\r\n", "get", "", "GE T"})
    EXPECT_FALSE(Send({.method = method, .url = server.url("/")})) << method;
  for (const auto* url : {"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/",
                          "http://user:secret@127.0.0.1/", "127.0.0.1/", "http://"})
    EXPECT_FALSE(Send({.url = url})) << url;
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CurlTransport, SendsEmptyHeadersAsEmpty) {
  LoopbackServer server([](const auto&, auto&) {});
  ASSERT_TRUE(Send({.url = server.url("/"), .headers = {{"Accept", ""}}}));
  ASSERT_NE(server.requests()[0].Header("accept"), nullptr);
  EXPECT_EQ(*server.requests()[0].Header("accept"), "");
}

TEST_F(CurlTransport, ConnectsToNothingPrivateUnlessAllowed) {
  LoopbackServer server([](const auto&, auto&) {});
  const auto strict = Make({});
  const auto port = server.url().substr(server.url().rfind(':'));
  for (const auto& host : {"127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "[::1]",
                           "[::ffff:127.0.0.1]", "10.1.2.3", "169.254.169.254", "100.100.100.200",
                           "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00:ec2::254]", "0.0.0.0"}) {
    const auto sent = strict->Send(
        {.url = fmt::format("http://{}{}/", host, port), .way = {.total_timeout = 2s}});
    ASSERT_FALSE(sent) << host;
    EXPECT_EQ(sent.error().code, ErrorCode::kInvalidInput) << host << sent.error().Describe();
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_TRUE(Make({.networks = {"127.0.0.0/24"}})->Send({.url = server.url("/")}));
  for (const auto* url : {"http://127.0.0.1:1", "http://LocalHost", "https://10.1.2.3/x"})
    EXPECT_FALSE(strict->Check(url)) << url << " is refused before anything is sent";
  EXPECT_TRUE(strict->Check("https://provider.example/")) << "names tell nothing by themselves";
}

TEST_F(CurlTransport, RefusesNetworksThatAreNone) {
  for (const auto* network : {"10.0.0.0/33", "10.0.0/8", "x", "::/129", "10.0.0.0/", "10.0.0.0/8x"})
    EXPECT_FALSE(infra::curl::Transport::Create({.networks = {network}}, clock_)) << network;
}

TEST_F(CurlTransport, SpeaksTlsOnlyWithThoseWhoProveThemselves) {
  LoopbackServer server([](const auto&, auto& response) { response.body = "safe"; }, true);
  const auto refused = Send({.url = server.url("/")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorruption) << refused.error().Describe();
  EXPECT_TRUE(server.requests().empty());
  const auto trusting =
      Make({.allow_loopback = true, .certificate_authorities = server.certificate()});
  const auto response = trusting->Send({.url = server.url("/")});
  ASSERT_TRUE(response) << response.error().Describe();
  EXPECT_EQ(response->body, "safe");
}

TEST_F(CurlTransport, KeepsConnectionsForTheNextRequest) {
  LoopbackServer server([](const auto&, auto&) {});
  const auto transport = Make({.allow_loopback = true});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(transport->Send({.url = server.url("/")}));
  EXPECT_EQ(server.connections(), 1);
}

// Whatever happens to connections, one call is one request on the wire at most: others have no permit.
TEST_F(CurlTransport, NeverSendsTwiceByItself) {
  int answered = 0;
  LoopbackServer server(
      [&](const auto&, auto& response) { response.delivery.reset_before_head = ++answered > 1; });
  const auto transport = Make({.allow_loopback = true});
  ASSERT_TRUE(transport->Send({.url = server.url("/")}));
  EXPECT_FALSE(transport->Send({.url = server.url("/")}));
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(CurlTransport, GoesThroughAProxyWithItsPassword) {
  LoopbackServer proxy([](const sim::Request& request, auto& response) {
    const auto* who = request.Header("proxy-authorization");
    response.status = who != nullptr && *who == "Basic dTpw" ? 200 : 407;
  });
  const HttpRequest request{.url = "http://192.0.2.1.example/x",
                            .way = {.proxy = "http://u:p@" + proxy.host()}};
  EXPECT_EQ(Make({})->Send(request)->status, 200);
  auto unknown = request;
  unknown.way.proxy = proxy.url();
  EXPECT_EQ(Make({})->Send(unknown)->status, 407);
  auto inward = request;
  inward.url = "http://10.0.0.1/";
  EXPECT_EQ(Make({})->Send(inward).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(proxy.requests().size(), 2U);
}

TEST_F(CurlTransport, SaysThatTheProxyRefusesUsAlsoWhenItTunnels) {
  RawServer proxy("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
  const auto sent =
      Make({})->Send({.url = "https://provider.example/", .way = {.proxy = proxy.url()}});
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kRefused) << sent.error().Describe();
}

TEST_F(CurlTransport, BelievesNoAnswerThatIsNotHttp) {
  for (const auto* answer :
       {"", "hello", "<html>hello</html>", "HTTP/1.1", "HTTP/1.1 200 OK",
        "HTTP/9.9 200 OK\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n"}) {
    RawServer server(answer);
    const auto response = Send({.url = server.url(), .way = {.total_timeout = 5s}});
    ASSERT_FALSE(response) << answer;
    EXPECT_EQ(response.error().code, ErrorCode::kUnavailable)
        << answer << ": " << response.error().Describe();
  }
}

TEST_F(CurlTransport, TakesHeadersFromTheHeadOfTheFinalAnswerOnly) {
  RawServer server(
      "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
      "HTTP/1.1 200 OK\r\nX-Real: 1\r\nTransfer-Encoding: chunked\r\nTrailer: Retry-After\r\n\r\n"
      "3\r\nabc\r\n0\r\nRetry-After: 3600\r\n\r\n");
  const auto response = Send({.url = server.url()});
  ASSERT_TRUE(response) << response.error().Describe();
  EXPECT_EQ(response->body, "abc");
  EXPECT_EQ(response->Header("X-Early"), nullptr);
  EXPECT_EQ(response->Header("Retry-After"), nullptr);
  EXPECT_NE(response->Header("X-Real"), nullptr);
}

TEST_F(CurlTransport, TakesNoProxyFromTheEnvironment) {
  LoopbackServer server([](const auto&, auto&) {});
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  EXPECT_TRUE(Send({.url = server.url("/")}));
  unsetenv("http_proxy");
}

TEST_F(CurlTransport, ServesManyThreads) {
  LoopbackServer server(
      [](const sim::Request& request, auto& response) { response.body = request.query; });
  const auto transport = Make({.allow_loopback = true});
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const auto query = fmt::format("t={}&i={}", t, i);
        const auto response = transport->Send({.url = server.url("/?" + query)});
        if (response && response->body == query) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 8 * 25);
  EXPECT_LE(server.connections(), 8);
}

TEST_F(CurlTransport, AsksForHeadersAlone) {
  LoopbackServer server([](const auto&, auto& response) { response.body = "x"; });
  const auto response = Send({.method = "HEAD", .url = server.url("/")});
  ASSERT_TRUE(response) << response.error().Describe();
  EXPECT_EQ(response->body, "");
}

}  // namespace patra::testing::transport_test
