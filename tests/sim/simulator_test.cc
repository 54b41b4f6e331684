#include "sim/simulator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "sim/play.h"
#include "sim/program/diff.h"
#include "tests/conformance/shared.h"
#include "tests/sim/http_client.h"

namespace patra::sim::simulator_test {

using ::testing::HasSubstr;
using testing::HttpClient;

std::unique_ptr<Simulator> Start(SimulatorOptions options) {
  auto started = Simulator::Start(std::move(options));
  EXPECT_TRUE(started) << started.error().Describe();
  return std::move(*started);
}

TEST(Simulator, RefusesOptionsThatMakeNoWorld) {
  EXPECT_FALSE(Simulator::Start({.size = 0}));
  EXPECT_FALSE(Simulator::Start({.address = "localhost"}));
  EXPECT_FALSE(Simulator::Start({.providers = {"nobody"}}));
  EXPECT_FALSE(Simulator::Start({.begin = Instant{}, .now = Instant{}}));
  EXPECT_FALSE(Simulator::Start({.faults = Value(3)}));
}

TEST(Simulator, SaysThatThePortIsTaken) {
  const auto first = Start({.size = 10});
  const auto second = Simulator::Start({.size = 10, .port = first->port()});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().Describe(), HasSubstr("cannot listen"));
}

TEST(Simulator, PlaysOnlyTheWantedProviders) {
  const auto simulator = Start({.size = 10, .providers = {"oai"}});
  HttpClient client;
  EXPECT_EQ(client.Get(simulator->url() + "/oai?verb=Identify").status, 200);
  EXPECT_EQ(client.Get(simulator->url() + "/rest/ids").status, 404);
}

TEST(Simulator, SameSeedSameBytesOtherSeedOtherBytes) {
  HttpClient client;
  const auto page = [&](std::uint64_t seed) {
    const auto simulator = Start({.seed = seed, .size = 500});
    return client.Get(simulator->url() + "/rest/page/items?size=50").body;
  };
  EXPECT_EQ(page(5), page(5));
  EXPECT_NE(page(5), page(6));
}

TEST(Simulator, StopsWhileClientsWaitAndDrip) {
  auto simulator = Start({.size = 1'000});
  ASSERT_TRUE(simulator->SetFaults(*ParseJson(
      R"([{"kind":"latency","delay":"1h","path":"slow"},{"kind":"slow_drip","delay":"1h","path":"drip"}])")));
  std::vector<std::jthread> clients;
  for (const auto* path : {"/rest/ids?slow", "/rest/ids?drip", "/rest/ids?slow"}) {
    clients.emplace_back([url = simulator->url() + path] { HttpClient().Get(url); });
  }
  HttpClient client;
  while (*client.Get(simulator->url() + "/__sim/stats")
              .Json()
              .Find("sources")
              ->Find("rest")
              ->Find("requests")
              ->AsInteger() < 3) {
    std::this_thread::yield();
  }
  simulator->Stop();  // returns, and the clients see their connections end
}

TEST(Simulator, SpeaksTlsWithACertificateThatCanBeVerified) {
  const auto simulator = Start({.size = 100, .tls = true});
  HttpClient client;
  EXPECT_NE(client.Get(simulator->url() + "/rest/ids").error, "");
  HttpClient trusting;
  trusting.TrustOnly(simulator->certificate());
  const auto answer = trusting.Get(simulator->url() + "/rest/url/items?limit=1");
  EXPECT_EQ(answer.status, 200) << answer.error;
  EXPECT_THAT(*answer.Json().Find("next")->AsString(), ::testing::StartsWith("https://"));
}

TEST(Simulator, CompressesForThoseWhoAccept) {
  const auto simulator = Start({.size = 1'000, .gzip = true});
  HttpClient client;
  const auto url = simulator->url() + "/rest/page/items?size=50";
  EXPECT_EQ(client.Get(url).Header("content-encoding"), "");
  const auto packed = client.Get(url, {"accept-encoding: gzip"});
  EXPECT_EQ(packed.Header("content-encoding"), "gzip");
  EXPECT_THAT(packed.body, ::testing::StartsWith("\x1f\x8b"));
}

TEST(Simulator, CrossrefScrollDiesAfterFiveMinutes) {
  const auto simulator = Start({.size = 1'000, .enforce_limits = false});
  HttpClient client;
  const auto open = [&] {
    const auto page = client.Get(simulator->url() + "/crossref/works?rows=1&cursor=*").Json();
    return *page.Find("message")->Find("next-cursor")->AsString();
  };
  const auto use = [&](const std::string& cursor) {
    return client.Get(simulator->url() + "/crossref/works?rows=1&cursor=" + cursor).status;
  };
  const auto cursor = open();
  EXPECT_EQ(use(cursor), 200);
  simulator->Advance(std::chrono::minutes(4));
  EXPECT_EQ(use(cursor), 200);  // every use keeps it alive
  simulator->Advance(std::chrono::minutes(4));
  EXPECT_EQ(use(cursor), 200);
  simulator->Advance(std::chrono::minutes(5));
  EXPECT_EQ(use(cursor), 404);
}

TEST(Simulator, OaiTokenExpires) {
  const auto simulator = Start({.size = 2'000, .enforce_limits = false});
  HttpClient client;
  const auto first =
      client.Get(simulator->url() + "/oai/standard?verb=ListIdentifiers&metadataPrefix=oai_dc");
  const auto at = first.body.find("<resumptionToken");
  const auto start = first.body.find('>', at) + 1;
  const auto token = first.body.substr(start, first.body.find('<', start) - start);
  const auto url = simulator->url() + "/oai/standard?verb=ListIdentifiers&resumptionToken=" + token;
  EXPECT_THAT(client.Get(url).body, HasSubstr("<header>"));
  EXPECT_THAT(client.Get(url).body, HasSubstr("<header>"));  // it can be sent again
  simulator->Advance(std::chrono::hours(25));
  EXPECT_THAT(client.Get(url).body, HasSubstr("badResumptionToken"));
}

TEST(Simulator, PubmedHasItsWall) {
  const auto simulator = Start({.size = 20'000, .enforce_limits = false});
  HttpClient client;
  const auto search = [&](const std::string& query) {
    return client.Get(simulator->url() + "/pubmed/esearch.fcgi?db=pubmed&retmode=json&" + query);
  };
  const auto ids = [](const testing::Answer& answer) {
    return answer.Json().Find("esearchresult")->Find("idlist")->AsArray()->size();
  };
  EXPECT_EQ(ids(search("retmax=50000")), 9'999u);
  EXPECT_THAT(search("retmax=50000").body, HasSubstr("Restrictions achieved"));
  EXPECT_EQ(ids(search("retstart=9500&retmax=500")), 499u);
  const auto beyond = search("retstart=9999");
  EXPECT_EQ(beyond.status, 200);
  EXPECT_FALSE(ParseJson(beyond.body)) << "the real one is not JSON either";
}

TEST(Simulator, CountsAndEnforcesPerKey) {
  const auto simulator = Start({.size = 100});
  HttpClient client;
  ASSERT_TRUE(
      simulator->SetLimits("rest", *ParseJson(R"([{"kind":"fixed","count":2,"window":"1h"}])")));
  const auto get = [&](const char* key) {
    return client.Get(simulator->url() + "/rest/ids", {fmt::format("x-api-key: {}", key)}).status;
  };
  EXPECT_EQ(get("a"), 200);
  EXPECT_EQ(get("a"), 200);
  EXPECT_EQ(get("a"), 429);
  EXPECT_EQ(get("b"), 200);
  simulator->Advance(std::chrono::hours(1));
  EXPECT_EQ(get("a"), 200);
  const auto stats = simulator->Stats();
  const auto& a = *stats.Find("sources")->Find("rest")->Find("keys")->Find("a");
  EXPECT_EQ(*a.Find("permitted")->AsInteger(), 3);
  EXPECT_EQ(*a.Find("rejected")->AsInteger(), 1);
  simulator->ClearStats();
  EXPECT_EQ(*simulator->Stats().Find("sources")->Find("rest")->Find("requests")->AsInteger(), 0);
}

TEST(Simulator, CrossrefRefusesMoreThanItsConcurrency) {
  const auto simulator = Start({.size = 100});
  ASSERT_TRUE(simulator->SetFaults(*ParseJson(R"([{"kind":"latency","delay":"1h","times":1}])")));
  std::jthread slow([url = simulator->url() + "/crossref/works?rows=1"] { HttpClient().Get(url); });
  HttpClient client;
  const auto arrived = [&] {
    return *simulator->Stats().Find("sources")->Find("crossref")->Find("requests")->AsInteger();
  };
  while (arrived() == 0) std::this_thread::yield();
  const auto refused = client.Get(simulator->url() + "/crossref/works?rows=1");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.Header("connection"), "close");
  simulator->Stop();
}

TEST(Controls, MoveTheClockForwardOnly) {
  const auto simulator = Start({.size = 100});
  HttpClient client;
  const auto clock = simulator->url() + "/__sim/clock";
  EXPECT_THAT(client.Post(clock, R"({"advance":"36h"})").body, HasSubstr("2026-01-02T12:00:00Z"));
  EXPECT_THAT(client.Post(clock, R"({"now":"2026-02-01"})").body,
              HasSubstr("2026-02-01T00:00:00Z"));
  EXPECT_EQ(client.Post(clock, R"({"now":"2026-01-01"})").status, 400);
  EXPECT_EQ(client.Post(clock, R"({})").status, 400);
  EXPECT_EQ(client.Post(clock, "no json").status, 400);
  EXPECT_EQ(client.Get(simulator->url() + "/__sim/truth?source=x").status, 404);
  EXPECT_EQ(client.Get(simulator->url() + "/__sim/truth?from=x").status, 400);
  EXPECT_EQ(client.Get(simulator->url() + "/__sim/x").status, 404);
  EXPECT_EQ(client.Get(simulator->url() + "/__sim").status, 200);
}

// A store as patra writes it, filled from the truth.
class Store {
 public:
  Store()
      : path_(std::filesystem::temp_directory_path() / fmt::format("sim-diff-{}.db", ::getpid())) {
    std::filesystem::remove(path_);
    sqlite3_open(path_.c_str(), &database_);
    Run("CREATE TABLE ing_record_set (id INTEGER PRIMARY KEY, provenance_code TEXT, "
        "endpoint_name TEXT); INSERT INTO ing_record_set VALUES (1, 'OAI', 'records');"
        "CREATE TABLE ing_item (record_set_id INTEGER, provider_item_id TEXT, "
        "updated_at INTEGER, content_hash BLOB, deleted_at INTEGER)");
  }
  ~Store() {
    sqlite3_close(database_);
    std::filesystem::remove(path_);
  }

  void Run(const std::string& sql) {
    ASSERT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database_);
  }

  void Fill(TruthWalk& walk) {
    Run("BEGIN");
    while (const auto entry = walk.Next()) {
      Run(fmt::format("INSERT INTO ing_item VALUES (1,'{}',{},x'{}',{})", entry->id,
                      entry->updated.time_since_epoch().count(), entry->hash,
                      entry->deleted ? "1" : "NULL"));
    }
    Run("COMMIT");
  }

  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
  sqlite3* database_ = nullptr;
};

TEST(Diff, FindsNothingInAPerfectStoreAndEveryKindOfHarmInASpoiledOne) {
  const auto simulator = Start({.size = 600});
  Store store;
  auto walk = simulator->Truth("oai", Instant{}, simulator->WorldNow() + std::chrono::days(1));
  ASSERT_TRUE(walk);
  store.Fill(**walk);
  const DiffOptions options{.database = store.path(), .source = "oai", .url = simulator->url()};
  const auto perfect = Compare(options);
  ASSERT_TRUE(perfect) << perfect.error().Describe();
  EXPECT_TRUE(perfect->empty()) << PrintJson(perfect->Describe(), 2);
  EXPECT_GT(perfect->right, 400);

  store.Run("DELETE FROM ing_item WHERE rowid = 1");
  store.Run("UPDATE ing_item SET content_hash = x'00' WHERE rowid = 2");
  store.Run("UPDATE ing_item SET updated_at = updated_at - 1 WHERE rowid = 3");
  store.Run("UPDATE ing_item SET deleted_at = 1 WHERE rowid = 4");
  store.Run("INSERT INTO ing_item VALUES (1,'x',5,x'',NULL)");
  const auto undeleted =
      "UPDATE ing_item SET deleted_at = NULL WHERE rowid = "
      "(SELECT max(rowid) FROM ing_item WHERE deleted_at IS NOT NULL)";
  store.Run(undeleted);
  const auto spoiled = Compare(options);
  ASSERT_TRUE(spoiled);
  EXPECT_EQ(spoiled->missing.count, 2);
  EXPECT_EQ(spoiled->wrong.count, 1);
  EXPECT_EQ(spoiled->stale.count, 2);
  EXPECT_EQ(spoiled->extra.count, 1);
  EXPECT_EQ(spoiled->extra.examples.front(), "x");
}

TEST(Diff, ReadsAnExportLikeAStore) {
  const auto simulator = Start({.size = 300});
  const auto path = std::filesystem::path(::testing::TempDir()) / "patra_diff_items.jsonl";
  const auto write = [&](const std::string& last) {
    std::ofstream file(path);
    auto walk = simulator->Truth("rest", Instant{}, simulator->WorldNow() + std::chrono::days(1));
    ASSERT_TRUE(walk);
    while (const auto entry = (*walk)->Next()) {
      if (entry->deleted) continue;
      file << fmt::format(R"({{"endpoint":"items","fields":{{}},"id":"{}","source":"rest",)"
                          R"("updatedAt":"{}"}})"
                          "\n",
                          entry->id, FormatRfc3339(entry->updated));
    }
    file << last;
  };
  const DiffOptions options{.source = "rest", .url = simulator->url(), .items = path};
  write(R"({"endpoint":"items","fields":{},"id":"x","source":"rest",)"
        R"("updatedAt":"2025-01-01T00:00:00Z"})"
        "\n");
  const auto report = Compare(options);
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_EQ(report->missing.count, 0);
  EXPECT_EQ(report->stale.count, 0);
  EXPECT_EQ(report->extra.count, 1);
  EXPECT_EQ(report->wrong.count, report->expected) << "all are without their fields";
  write("{}\n");
  const auto broken = Compare(options);
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().Describe().find("no exported record"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Diff, SaysWhatIsWrongWithItsArguments) {
  const auto simulator = Start({.size = 10});
  Store store;
  EXPECT_FALSE(Compare({.database = "/nowhere/x.db", .source = "oai", .url = simulator->url()}));
  EXPECT_FALSE(Compare({.database = store.path(), .source = "nobody", .url = simulator->url()}));
  EXPECT_FALSE(
      Compare({.database = store.path(), .source = "oai", .url = simulator->url(), .from = "x"}));
}

class Play : public ::testing::Test {
 protected:
  void Save(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("sim-play-{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  HttpClient client_;
};

TEST_F(Play, AnswersTheSameRequestInTheOrderOfItsRecordings) {
  Save("a1.json", "[1]");
  Save("a1.headers.txt", "# recorded request: GET https://h.test/x?b=2&a=%31\nHTTP 200\nX-Y: z\n");
  Save("a2.json", "[2]");
  Save("a2.headers.txt", "# recorded request: GET https://h.test/x?a=1&b=2\nHTTP 429\n");
  Save("b.txt", "key");
  Save("b.headers.txt", "# recorded request: GET https://h.test/k?key=<key>&q=1\nHTTP 200\n");
  auto exchanges = LoadExchanges(folder_);
  ASSERT_TRUE(exchanges) << exchanges.error().Describe();
  Player player(std::move(*exchanges));
  const auto server = *Server::Start({}, player);
  const auto url = fmt::format("http://127.0.0.1:{}", server->port());
  const auto first = client_.Get(url + "/x?b=2&a=1");
  EXPECT_EQ(first.body, "[1]");
  EXPECT_EQ(first.Header("x-y"), "z");
  EXPECT_EQ(client_.Get(url + "/x?a=1&b=2").status, 429);
  EXPECT_EQ(client_.Get(url + "/x?a=1&b=2").status, 429);  // the last one stays
  EXPECT_EQ(client_.Get(url + "/h.test/k?q=1&key=secret").body, "key");
  EXPECT_EQ(client_.Get(url + "/k?q=1").body, "key");
  EXPECT_EQ(client_.Get(url + "/x?a=1").status, 404);
}

TEST_F(Play, RefusesAFolderWithoutExchanges) {
  EXPECT_FALSE(LoadExchanges(folder_));
  EXPECT_FALSE(LoadExchanges(folder_ / "missing"));
  Save("a.headers.txt", "nonsense");
  EXPECT_FALSE(LoadExchanges(folder_));
}

TEST_F(Play, ServesTheRecordedResponses) {
  const auto fixtures = patra::testing::SharedFolder() / "fixtures";
  SKIP_WITHOUT_SHARED(fixtures);
  auto exchanges = LoadExchanges(fixtures);
  ASSERT_TRUE(exchanges) << exchanges.error().Describe();
  EXPECT_GT(exchanges->size(), 120u);
  Player player(std::move(*exchanges));
  const auto server = *Server::Start({}, player);
  const auto url = fmt::format("http://127.0.0.1:{}", server->port());
  EXPECT_EQ(client_.Get(url + "/entrez/eutils/esearch.fcgi?term=biopython&db=pubmed").body,
            patra::testing::ReadFile(fixtures / "pubmed/esearch_p1.xml"));
  EXPECT_EQ(client_.Get(url + "/api.crossref.org/works?cursor=thing&query=widget").status, 404);
  std::vector<std::string> bodies;
  for (int i = 0; i < 3; ++i) bodies.push_back(client_.Post(url + "/", "{}").body);
  EXPECT_NE(bodies[0], bodies[1]);
  EXPECT_NE(bodies[1], bodies[2]);
}

}  // namespace patra::sim::simulator_test
