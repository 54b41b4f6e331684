// A whole harvest with a secret, from a provider that repeats it in records, error pages and broken records. Then
// everything that the commands print and everything that lies on the disk is searched for it: progress, logs, the
// store with its digests, samples, quarantine and outbox, the raw vault, the gate (I11).
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "base/zstd_frame.h"
#include "tests/e2e/patra_command.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::canary_harvest_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Every spelling, whatever is encoded, begins with this word, which nothing else contains.
constexpr const char* kWord = "zanary";
constexpr const char* kSecret = "zanary/odd key+1";

constexpr const char* kDefinition = R"yaml(
source: teller
name: Tells what it was told
http: {{base_url: "{}", allow_http: true}}
auth: {{type: api_key, required: true, in: query, name: odd, keys: "${{env:PATRA_ZANARY}}"}}
limits: [{{rate: 1000/s}}]
retry: {{attempts: 3, first: 1ms, most: 2ms}}
endpoints:
  items:
    request:
      path: /items
      query: {{from: "${{window.from}}", to: "${{window.to}}", page: "${{page.number}}"}}
    paging: {{style: page, size: 3, first_page: 1, ends: [short_page]}}
    window: {{by: updated, start: 2026-01-01, granularity: microsecond, safety_lag: 1s, width: 1h..30d}}
    response: {{items: $.items, id: $.id, updated: $.updated, total: $.total}}
    fields: {{title: $.title}}
)yaml";

class CanaryHarvest : public ::testing::Test {
 protected:
  CanaryHarvest() {
    setenv("PATRA_ZANARY", kSecret, 1);  // NOLINT(concurrency-mt-unsafe): before any thread
    std::filesystem::create_directory(definitions_.Path("sources"));
    std::ofstream(definitions_.Path("sources/teller.yaml"))
        << fmt::format(fmt::runtime(kDefinition), server_.url());
  }
  ~CanaryHarvest() override { unsetenv("PATRA_ZANARY"); }

  // The first request fails, later ones bring a page: a good record, one without a date, one that is deleted.
  void Tell(const sim::Request& request, sim::Response& response) {
    const auto told = '"' + Respelled(request.target) + '"';
    response.SetHeader("X-Told", request.target);
    if (++asked_ == 1) {
      response.status = 503;
      response.body = "busy with " + request.target;
      return;
    }
    if (refuses_) {
      response.status = 400;
      response.SetHeader("X-Why", Respelled(request.target));
      response.body = "nobody may ask for " + Respelled(request.target);
      return;
    }
    response.content_type = "application/json";
    response.body = fmt::format(
        R"({{"total":2,"items":[{{"id":"{1}","updated":"2026-01-02T00:00:00Z","title":{0}}},{{"id":{0},"title":{0}}}]}})",
        told, id_);
  }

  // A provider that decodes what it was told, and escapes its characters in a way of its own each time. The word at the
  // beginning stays, so that it is found.
  std::string Respelled(const std::string& target) {
    constexpr std::string_view kTold = "zanary%2Fodd%20key%2B1";
    const auto at = target.find(kTold);
    if (at == std::string::npos) return target;
    constexpr auto kWays = std::to_array<std::string_view>(
        {kSecret, "zanary&#47;odd&#x20;key&#43;1", "zanary%2fodd%20key%2b1", "zanary/odd%20key+1",
         "zanary&amp;#47;odd key&#43;1", R"(zanary\u002fodd key\u002B1)"});
    auto told = target;
    return told.replace(at, kTold.size(), kWays[static_cast<std::size_t>(asked_) % kWays.size()]);
  }

  std::string Database() { return stores_.At(store_.Path("patra.db")); }

  void ExpectNoRawPageHolds(const std::string& word) {
    const auto store =
        boot::OpenStore(*boot::StoreAddress::Parse(Database()), boot::StoreUse::kLook, clock_);
    ASSERT_TRUE(store) << store.error().Describe();
    int kept = 0;
    const auto read =
        testing::DatabaseOf(**store).Read([&](infra::sql::Session& session) -> Result<void> {
          auto pages = PATRA_TRY(session.Query("SELECT body_zstd FROM ing_raw_page LIMIT 100"));
          while (PATRA_TRY(pages.Next())) {
            const auto page = PATRA_TRY(Decompress(pages.View(infra::sql::kOnly), 1'000'000));
            EXPECT_THAT(page, Not(HasSubstr(word)));
            ++kept;
          }
          return {};
        });
    EXPECT_TRUE(read) << read.error().Describe();
    EXPECT_GT(kept, 0);
  }

  // What a file of its own would show: every value of every table and view.
  void ExpectNoColumnHolds(const std::string& word) {
    auto server = testing::TestServer::At(Database());
    const auto searches = server.List(fmt::format(
        "SELECT concat('SELECT ''', table_name, '.', column_name, ''' FROM ', table_name, "
        "' WHERE \"', column_name, '\" LIKE BINARY ''%{}%'' LIMIT 1') FROM "
        "information_schema.columns "
        "WHERE table_schema = DATABASE()",
        word));
    EXPECT_GT(searches.size(), 500u);
    for (const auto& search : searches) EXPECT_THAT(server.List(search), ::testing::IsEmpty());
  }

  int Ask(std::vector<std::string> arguments) {
    ::testing::internal::CaptureStderr();
    const auto answer = testing::RunPatra(application_, clock_, Database(), std::move(arguments));
    last_ = answer.out;
    told_ += last_ + answer.err + ::testing::internal::GetCapturedStderr();
    return answer.code;
  }

  std::vector<std::string> IdsOfList(const std::string& kind) {
    Ask({kind, "list", "--json"});
    std::vector<std::string> ids;
    std::istringstream lines(last_);
    for (std::string line; std::getline(lines, line);) {
      const auto row = ParseJson(line);
      if (row && row->Find("id") != nullptr) ids.push_back(*row->Find("id")->AsString());
    }
    return ids;
  }

  testing::TemporaryFolder definitions_;  // names the reference, not the secret
  testing::TemporaryFolder store_;
  testing::TestStores stores_;
  testing::LoopbackServer server_{
      [this](const sim::Request& request, sim::Response& response) { Tell(request, response); }};
  boot::Application application_;
  SystemClock clock_;
  std::atomic<int> asked_ = 0;
  std::atomic<bool> refuses_ = false;
  std::string id_ = "a";
  std::string last_;
  std::string told_;
};

TEST_F(CanaryHarvest, LeavesItsSecretNowhere) {
  const std::vector<std::string> teller = {
      "teller/items",     "--sources",   definitions_.Path("sources"),
      "--allow-loopback", "--log-level", "debug"};
  const auto with = [&](std::vector<std::string> begin, const std::vector<std::string>& end) {
    begin.insert(begin.end(), teller.begin(), teller.end());
    begin.insert(begin.end(), end.begin(), end.end());
    return begin;
  };
  EXPECT_EQ(Ask(with({"harvest"}, {"--from", "2026-01-01", "--to", "2026-01-10", "--json"})), 10)
      << told_;
  EXPECT_EQ(Ask(with({"harvest"}, {"--from", "2026-01-10", "--to", "2026-01-20"})), 10) << told_;
  refuses_ = true;
  EXPECT_EQ(Ask(with({"harvest"}, {"--from", "2026-01-20", "--to", "2026-01-25"})), 1) << told_;
  refuses_ = false;
  Ask({"batch", "list", "--status", "failed", "--json"});
  const auto refused = ParseJson(last_.substr(0, last_.find('\n')));
  ASSERT_TRUE(refused && refused->Find("id") != nullptr) << last_;
  Ask({"batch", "show",
       *refused->Find("run")->AsString() + "/" + *refused->Find("id")->AsString()});
  EXPECT_THAT(last_, HasSubstr("nobody may ask for"));
  EXPECT_THAT(last_, HasSubstr("X-Why: "));
  EXPECT_THAT(last_, HasSubstr("odd=***"));
  Ask(with({"source", "preview"}, {"--from", "2026-01-01", "--to", "2026-01-10"}));
  EXPECT_THAT(last_, HasSubstr("nothing was stored"));
  for (const auto* kind : {"plan", "slice", "task", "run", "batch", "cursor"}) {
    const auto ids = IdsOfList(kind);
    EXPECT_FALSE(ids.empty()) << kind;
    for (const auto& id : ids) {
      Ask({kind, "show", id});
      Ask({kind, "timeline", id});
    }
  }
  const auto tasks = IdsOfList("task");
  Ask({"task", "show", tasks.at(0), "--json"});
  EXPECT_THAT(last_, HasSubstr(R"("credential":"PATRA_ZANARY")")) << "its name is no secret";
  Ask({"task", "list", "--credential", "PATRA_ZANARY", "--json"});
  EXPECT_THAT(last_, HasSubstr(tasks.at(0)));
  for (const auto& plan : IdsOfList("plan")) Ask({"plan", "show", plan, "--origins"});
  for (const auto& batch : IdsOfList("batch")) {
    Ask({"batch", "show", batch, "--json"});
    const auto shown = ParseJson(last_);
    ASSERT_TRUE(shown) << last_;
    const auto run = *shown->Find("run")->AsString();
    const bool is_kept = !shown->Find("rawBytes")->is_null();
    for (const auto* mode : {"report", "isolate", "commit"}) {
      Ask({"replay", run + "/" + batch, "--mode", mode, "--reason", "r", "--allow-loopback"});
      EXPECT_THAT(last_, HasSubstr("asked    {"));
      Ask({"replay", run + "/" + batch, "--mode", mode, "--reason", "r", "--from-raw", "--json"});
      EXPECT_EQ(last_.contains("verdict"), is_kept) << last_;
    }
  }
  const auto quarantined = IdsOfList("quarantine");
  EXPECT_FALSE(quarantined.empty());
  for (const auto& id : quarantined) Ask({"quarantine", "show", id});
  for (const auto* command : {"list", "export"}) Ask({"items", command});
  for (const auto* command : {"show", "why"}) Ask({"items", command, "a", "--json"});
  EXPECT_THAT(last_, HasSubstr("/items"));
  Ask({"status"});
  Ask({"verify", "teller"});
  Ask({"gate", "list", "--json"});

  EXPECT_THAT(server_.requests().at(0).target, HasSubstr(kWord)) << "it did travel";
  EXPECT_THAT(told_, HasSubstr("request.retry"));
  EXPECT_THAT(told_, Not(HasSubstr(kWord)));

  ExpectNoRawPageHolds(kWord);
  if (stores_.are_on_a_server()) ExpectNoColumnHolds(kWord);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(store_.Path("."))) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(bytes.find(kWord), std::string::npos) << entry.path();
    ++files;
  }
  EXPECT_GE(files, stores_.are_on_a_server() ? 0 : 1)
      << "the store, with its log and the gate's rest";
}

TEST_F(CanaryHarvest, AShortSecretChangesNoRecordAndItsEchoIsAnAlert) {
  setenv("PATRA_ZANARY", "guest", 1);  // NOLINT(concurrency-mt-unsafe): before any thread
  id_ = "guest-1";
  EXPECT_EQ(
      Ask({"harvest", "teller/items", "--sources", definitions_.Path("sources"), "--allow-loopback",
           "--from", "2026-01-01", "--to", "2026-01-10", "--log-level", "debug"}),
      10)
      << told_;
  EXPECT_THAT(told_, HasSubstr("credential.short"));
  EXPECT_THAT(told_, Not(HasSubstr("guest"))) << "logs and progress hold it nowhere";
  EXPECT_EQ(Ask({"items", "show", "guest-1"}), 0) << told_;
  Ask({"alerts", "list"});
  EXPECT_THAT(last_, HasSubstr("too short to be told from ordinary words"));
  Ask({"source", "check", "teller", "--sources", definitions_.Path("sources")});
  EXPECT_THAT(told_, HasSubstr("fewer than 8 bytes"));
}

}  // namespace patra::canary_harvest_test
