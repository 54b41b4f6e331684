// What somebody sees of a source before the first harvest, through the command line.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/patra_command.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::preview_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kDefinition = R"yaml(
source: shelf
name: A shelf
http: {{base_url: "{}", allow_http: true}}
auth: {{type: api_key, required: true, in: query, name: key, keys: "${{env:PATRA_SHELF}}"}}
limits: [{{rate: 1000/s}}]
retry: {{attempts: 1}}
endpoints:
  items:
    request:
      path: /items
      query: {{from: "${{window.from}}", page: "${{page.number}}"}}
    paging: {{style: page, size: 2, first_page: 1}}
    window: {{by: updated, start: 2026-01-01, safety_lag: 1s, width: 1h..30d}}
    response: {{items: $.books, id: $.isbn, updated: $.updated, total: $.count}}
    fields: {{title: $.name}}
  ids:
    request:
      path: /ids
      query: {{from: "${{window.from}}", to: "${{window.to}}", page: "${{page.number}}"}}
    paging: {{style: page, size: 9, first_page: 1}}
    window: {{by: updated, start: 2026-01-01, safety_lag: 1s, width: 1h..30d}}
    response: {{items: $.ids, id: $, updated: none, total: $.count}}
    details: {{endpoint: book, batch: 2}}
  book:
    role: detail
    request: {{path: /book, query: {{isbn: "${{ids | join(',')}}"}}}}
    response: {{items: $.books, id: $.isbn, updated: $.updated}}
    fields: {{title: $.name}}
)yaml";

constexpr const char* kSecret = "a-secret-of-the-shelf";

std::string Book(const std::string& isbn) {
  return fmt::format(R"({{"isbn":"{0}","updated":"2026-01-02T00:00:00Z","name":"Book {0} ü"}})",
                     isbn);
}

void Shelf(const sim::Request& request, sim::Response& response) {
  response.content_type = "application/json";
  if (request.path == "/ids") {
    response.body = R"({"count":3,"ids":["a","b","c"]})";
  } else if (request.path == "/book") {
    response.body = fmt::format(R"({{"books":[{},{}]}})", Book("a"), Book("b"));
  } else if (request.query.find("page=2") != std::string::npos) {
    response.body = fmt::format(R"({{"count":3,"books":[{}]}})", Book("c"));
  } else if (request.query.find("page=1") != std::string::npos) {
    response.body = fmt::format(R"({{"count":3,"books":[{},{}]}})", Book("a"), Book("b"));
  } else {
    response.status = 400;
  }
}

class Preview : public ::testing::Test {
 protected:
  Preview() {
    setenv("PATRA_SHELF", kSecret, 1);  // NOLINT(concurrency-mt-unsafe): before any thread
    std::filesystem::create_directory(folder_.Path("sources"));
    std::ofstream(folder_.Path("sources/shelf.yaml"))
        << fmt::format(fmt::runtime(kDefinition), server_.url());
  }
  ~Preview() override { unsetenv("PATRA_SHELF"); }

  testing::CommandAnswer Ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--sources", folder_.Path("sources")});
    return testing::RunPatra(application_, clock_, stores_.At(folder_.Path("patra.db")),
                             std::move(arguments));
  }
  testing::CommandAnswer Look(const std::string& target, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"source", "preview",    target, "--allow-loopback",
                                   "--from", "2026-01-01", "--to", "2026-01-10"};
    words.insert(words.end(), more.begin(), more.end());
    return Ask(std::move(words));
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  testing::LoopbackServer server_{Shelf};
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(Preview, ShowsWhatIsAskedWhatComesAndWhatBecomesOfIt) {
  const auto seen = Look("shelf/items");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(
      seen.out,
      HasSubstr("GET " + server_.url("/items?from=2026-01-01T00%3A00%3A00Z&page=1&key=***")));
  EXPECT_THAT(seen.out, HasSubstr("curl --compressed -H 'User-Agent: patra/"));
  EXPECT_THAT(seen.out, HasSubstr("200, application/json"));
  EXPECT_THAT(seen.out, HasSubstr("books  list of 2"));
  EXPECT_THAT(seen.out, HasSubstr("isbn  text 'a'"));
  EXPECT_THAT(seen.out, HasSubstr("2 mapped, 0 bad, 3 announced"));
  EXPECT_THAT(seen.out, HasSubstr("raw     " + Book("a")));
  EXPECT_THAT(seen.out, HasSubstr(R"(mapped  {"title":"Book a ü"})"));
  EXPECT_THAT(seen.out, HasSubstr("next page   page 2"));
  EXPECT_THAT(seen.out + seen.err, Not(HasSubstr(kSecret)));
  EXPECT_THAT(server_.requests().at(0).target, HasSubstr(kSecret)) << "it did travel";
}

TEST_F(Preview, MakesNoStore) {
  EXPECT_EQ(Look("shelf/items").code, 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.Path("")), {}), 1)
      << "the definitions, and nothing else";
}

TEST_F(Preview, WalksAsManyPagesAsItIsToldAndNoMoreThanThereAre) {
  EXPECT_EQ(Look("shelf/items", {"--pages", "9"}).code, 0);
  EXPECT_EQ(server_.requests().size(), 2u);
}

TEST_F(Preview, OfIdsShowsTheDetailsOfTheFirst) {
  const auto seen = Look("shelf/ids");
  EXPECT_EQ(seen.code, 0) << seen.err << seen.out;
  EXPECT_THAT(seen.out, HasSubstr("ids: a, b, c"));
  EXPECT_THAT(seen.out, HasSubstr("details of 2 ids"));
  EXPECT_THAT(seen.out, HasSubstr("/book?isbn=a%2Cb"));
  EXPECT_THAT(seen.out, HasSubstr(R"(mapped  {"title":"Book b ü"})"));
}

TEST_F(Preview, WhatIsSavedIsWhatADefinitionIsTestedWith) {
  EXPECT_EQ(Look("shelf/items", {"--pages", "2", "--save-exchange"}).code, 0);
  EXPECT_EQ(Look("shelf/ids", {"--save-exchange"}).code, 0);
  auto tested = Ask({"source", "test", "shelf"});
  EXPECT_EQ(tested.code, 0) << tested.out << tested.err;
  EXPECT_THAT(tested.out, HasSubstr("4 exchanges, 0 not as expected"));
  std::ifstream file(folder_.Path("sources/exchanges/shelf.yaml"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, Not(HasSubstr(kSecret)));

  std::ofstream(folder_.Path("sources/shelf.yaml"), std::ios::app) << "  # changed\n";
  std::ofstream(folder_.Path("sources/exchanges/shelf.yaml")) << "exchanges: []\n";
  const auto refused = Look("shelf/items", {"--save-exchange"});
  EXPECT_EQ(refused.code, 1) << "a file that is written in another way is left alone";
  EXPECT_THAT(refused.err, HasSubstr("nothing was added"));
}

TEST_F(Preview, OfAnAnswerThatDoesNotFitShowsItsOutlineAndWhy) {
  const auto seen = Look("shelf/items", {"--set", "response.items=$.volumes"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.out, HasSubstr("books  list of 2"));
  EXPECT_THAT(seen.out, HasSubstr("verdict"));
}

}  // namespace patra::preview_test
