// What strangers met at the front door: filters in `items`, lists that become empty, credentials that are not set, ids of two
// types, and counts that have to be true whatever came.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "tests/e2e/patra_command.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::front_door_test {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class FrontDoor : public ::testing::Test {
 protected:
  FrontDoor() { std::filesystem::create_directory(folder_.Path("sources")); }

  testing::CommandAnswer Ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--sources", folder_.Path("sources")});
    return testing::RunPatra(application_, clock_, stores_.At(folder_.Path("patra.db")),
                             std::move(arguments));
  }
  testing::CommandAnswer Harvest(std::vector<std::string> more = {}) {
    std::vector<std::string> command{"harvest", "shop", "--allow-loopback"};
    command.insert(command.end(), more.begin(), more.end());
    return Ask(std::move(command));
  }

  // A source `shop` of one list, with these lines besides.
  void Define(const std::string& paging, const std::string& response, const std::string& more = "",
              const std::string& endpoint_more = "") {
    std::ofstream(folder_.Path("sources/shop.yaml")) << fmt::format(
        "source: shop\n"
        "http: {{base_url: {}, allow_http: true}}\n"
        "limits: [{{rate: 1000/s}}]\n"
        "{}"
        "endpoints:\n"
        "  things:\n"
        "    request: {{path: /things, query: {{page: \"${{page.number}}\"}}}}\n"
        "    paging: {}\n"
        "    window: {{filter: none}}\n"
        "    response: {}\n"
        "    fields: {{kind: $.kind}}\n"
        "{}",
        server_.url(), more, paging, response, endpoint_more);
  }

  static int PageOf(const sim::Request& request) {
    const auto at = request.target.find("page=");
    return at == std::string::npos ? 1 : std::atoi(request.target.c_str() + at + 5);
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::function<void(const sim::Request&, sim::Response&)> answer_;
  testing::LoopbackServer server_{[this](const sim::Request& request, sim::Response& response) {
    response.content_type = "application/json";
    answer_(request, response);
  }};
  boot::Application application_;
  SystemClock clock_;
};

constexpr const char* kPaging = "{style: page, size: 2, first_page: 1, has_more: $.more}";
constexpr const char* kResponse = "{items: $.items, id: $.id, updated: none}";

TEST_F(FrontDoor, PagesThatAFilterPassesOverAreNoEmptyPages) {
  constexpr int kPages = 9;
  answer_ = [](const sim::Request& request, sim::Response& response) {
    const auto page = PageOf(request);
    const bool is_meant = page == 1 || page == kPages;
    response.body = fmt::format(
        R"({{"items":[{{"id":{0},"kind":"{1}"}},{{"id":{2},"kind":"other"}}],"more":{3}}})",
        2 * page, is_meant ? "book" : "other", 2 * page + 1, page < kPages);
  };
  Define(kPaging, "{items: \"$.items[?@.kind=='book']\", id: $.id, updated: none}", "",
         "    order: {stable: true}\n");
  const auto harvested = Harvest();
  EXPECT_EQ(harvested.code, 0) << harvested.out << harvested.err;
  EXPECT_THAT(harvested.out, HasSubstr("2 new"));
  EXPECT_THAT(harvested.out, HasSubstr("16 records that the filter of `items` does not mean"));
  EXPECT_EQ(server_.requests().size(), static_cast<std::size_t>(kPages));
}

TEST_F(FrontDoor, EverythingThatWasSentIsShownAlsoWhereNothingCame) {
  answer_ = [](const sim::Request&, sim::Response& response) {
    response.status = 400;
    response.body = "{}";
  };
  Define(kPaging, kResponse);
  const auto harvested = Harvest();
  EXPECT_EQ(harvested.code, 1) << harvested.err;
  const auto sent = server_.requests().size();
  EXPECT_THAT(harvested.out, HasSubstr(fmt::format("{}, 0 retries", sent)));
  EXPECT_THAT(Ask({"status", "--json"}).out, HasSubstr(fmt::format("\"requests\":{}", sent)));
  EXPECT_THAT(Ask({"run", "list"}).out, ContainsRegex("requests"));
}

TEST_F(FrontDoor, AListThatBecameEmptyIsSaidAndAcceptedByTheNextHarvest) {
  int count = 3;
  answer_ = [&](const sim::Request& request, sim::Response& response) {
    std::string items;
    for (int i = 2 * (PageOf(request) - 1); i < std::min(count, 2 * PageOf(request)); ++i)
      items += fmt::format(R"({}{{"id":{},"kind":"book"}})", items.empty() ? "" : ",", i);
    response.body =
        fmt::format(R"({{"items":[{}],"more":{}}})", items, count > 2 * PageOf(request));
  };
  Define(kPaging, kResponse, "", "    order: {stable: true}\n    gone: tombstone\n");
  ASSERT_EQ(Harvest().code, 0);
  count = 0;
  const auto empty = Harvest({"--again"});
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_THAT(empty.out, HasSubstr("3 records are missing at once"));
  EXPECT_THAT(empty.out, HasSubstr("patra harvest shop/things --again"));
  EXPECT_THAT(Ask({"status"}).out, HasSubstr("3 records are missing at once"));
  const auto accepted = Harvest({"--again"});
  EXPECT_THAT(accepted.out, HasSubstr("3 records not on the list any more")) << accepted.err;
  EXPECT_THAT(Ask({"status"}).out, Not(HasSubstr("missing at once")));
}

TEST_F(FrontDoor, AgainReadsAListThatKnowsNoTimeHoweverSoon) {
  answer_ = [](const sim::Request&, sim::Response& response) {
    response.body = R"({"items":[{"id":1}],"more":false})";
  };
  Define(kPaging, kResponse, "", "    order: {stable: true}\n");
  ASSERT_EQ(Harvest().code, 0);
  const auto once = server_.requests().size();
  for (std::size_t i = 2; i < 5; ++i) {
    const auto again = Harvest({"--again"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(server_.requests().size(), i * once);
  }
}

TEST_F(FrontDoor, ACredentialThatIsNotSetIsNamedBeforeAnythingIsSent) {
  answer_ = [](const sim::Request&, sim::Response& response) {
    response.body = R"({"items":[{"id":1}],"more":false})";
  };
  const auto auth = [](bool is_required) {
    return fmt::format(
        "auth: {{type: api_key, in: query, name: key, required: {}, keys: "
        "\"${{env:PATRA_TEST_NO_SUCH_KEY}}\"}}\n",
        is_required);
  };
  Define(kPaging, kResponse, auth(true));
  const auto checked = Ask({"source", "check"});
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.err, HasSubstr("PATRA_TEST_NO_SUCH_KEY is not set"));
  for (const auto& refused : {Harvest(), Ask({"source", "preview", "shop", "--allow-loopback"})}) {
    EXPECT_EQ(refused.code, 78);
    EXPECT_THAT(refused.err, HasSubstr("PATRA_TEST_NO_SUCH_KEY"));
  }
  EXPECT_TRUE(server_.requests().empty());
  EXPECT_THAT(Ask({"fuse", "list"}).out, Not(HasSubstr("shop"))) << "nothing broke";

  Define(kPaging, kResponse, auth(false));
  for (const auto& warned : {Ask({"source", "preview", "shop", "--allow-loopback"}), Harvest()}) {
    EXPECT_EQ(warned.code, 0) << warned.err;
    EXPECT_THAT(warned.err, HasSubstr("PATRA_TEST_NO_SUCH_KEY is not set"));
  }
}

TEST_F(FrontDoor, IdsThatDifferInTypeAloneDoNotBecomeOneRecord) {
  answer_ = [](const sim::Request&, sim::Response& response) {
    response.body =
        R"({"items":[{"id":1,"kind":"a"},{"id":"1","kind":"b"},{"id":"2"},{"id":2},{"id":3}],"more":false})";
  };
  Define("{style: page, size: 9, first_page: 1, has_more: $.more}", kResponse, "",
         "    order: {stable: true}\n");
  const auto harvested = Harvest();
  EXPECT_EQ(harvested.code, 10) << harvested.out << harvested.err;
  EXPECT_THAT(harvested.out, HasSubstr("3 new"));
  EXPECT_THAT(harvested.out, HasSubstr("2 quarantined"));
  EXPECT_THAT(Ask({"quarantine", "list"}).out, HasSubstr("is a number in one record"));
}

TEST_F(FrontDoor, WaitingEndsWhenItWasPromised) {
  answer_ = [](const sim::Request&, sim::Response& response) { response.status = 503; };
  Define(kPaging, kResponse);
  const auto began = clock_.Elapsed();
  const auto harvested = Harvest({"--wait-max", "3s"});
  const auto took = clock_.Elapsed() - began;
  EXPECT_EQ(harvested.code, 75) << harvested.err;
  EXPECT_THAT(harvested.out, HasSubstr("503"));
  EXPECT_GE(took, 2s);
  // The promise is one second; the rest is left to machines that are busy.
  EXPECT_LE(took, 3s + 3s);
}

TEST_F(FrontDoor, ARepositorysOwnWordsAreShownAndItsAddressIsOneWithASlash) {
  std::filesystem::copy_file(PATRA_SOURCE_DIR "/sources/oai-pmh.yaml",
                             folder_.Path("sources/oai-pmh.yaml"));
  answer_ = [](const sim::Request&, sim::Response& response) {
    response.content_type = "text/xml";
    response.body =
        R"(<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="badArgument">)"
        R"(from has the wrong granularity</error></OAI-PMH>)";
  };
  const auto harvest = [&](const std::string& path) {
    return Ask({"harvest", "oai-pmh", "--base-url", server_.url(path), "--from", "2026-01-01",
                "--to", "2026-01-02", "--allow-loopback"});
  };
  const auto refused = harvest("/oai");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("badArgument: from has the wrong granularity"));
  EXPECT_THAT(refused.err, HasSubstr("granularity: day"));
  harvest("/oai/");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.Path("sources")), {}), 2);
}

}  // namespace patra::front_door_test
