// The first hour with a provider that nobody has defined yet: guessed from its answer, or of a known kind.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/shared.h"
#include "tests/e2e/patra_command.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::first_hour_test {

using ::testing::HasSubstr;
using ::testing::Not;

class FirstHour : public ::testing::Test {
 protected:
  FirstHour() { std::filesystem::create_directory(folder_.Path("sources")); }

  testing::CommandAnswer Ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--sources", folder_.Path("sources")});
    return testing::RunPatra(application_, clock_, stores_.At(folder_.Path("patra.db")),
                             std::move(arguments));
  }
  testing::CommandAnswer Guess(const std::string& path) {
    return Ask({"source", "init", "guessed", folder_.Path("sources/guessed.yaml"), "--from-url",
                server_.url(path), "--allow-loopback"});
  }
  std::string TextOf(const std::string& file) {
    std::ifstream stream(folder_.Path(file), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void UseShipped(const std::string& source) {
    std::filesystem::copy_file(PATRA_SOURCE_DIR "/sources/" + source + ".yaml",
                               folder_.Path("sources/" + source + ".yaml"));
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::string body_;
  std::string content_type_ = "application/json";
  testing::LoopbackServer server_{[this](const sim::Request&, sim::Response& response) {
    response.content_type = content_type_;
    response.body = body_;
  }};
  boot::Application application_;
  SystemClock clock_;
};

struct Recorded {
  const char* file;
  const char* path;
  const char* mapped;  // what the preview says of its records
  std::vector<const char*> lines;
};

class RecordedAnswers : public FirstHour, public ::testing::WithParamInterface<Recorded> {};

TEST_P(RecordedAnswers, MakeDefinitionsThatHoldTogetherAndMapThem) {
  const auto& [file, path, mapped, lines] = GetParam();
  const auto place = testing::SharedFolder() / "fixtures" / file;
  SKIP_WITHOUT_SHARED(place);
  body_ = testing::ReadFile(place);
  if (std::string_view(file).ends_with(".xml")) content_type_ = "text/xml";
  UseShipped("oai-pmh");

  const auto guessed = Guess(path);
  ASSERT_EQ(guessed.code, 0) << guessed.err;
  const auto text = TextOf("sources/guessed.yaml");
  for (const auto* line : lines) EXPECT_THAT(text, HasSubstr(line));
  const auto checked = Ask({"source", "check"});
  EXPECT_EQ(checked.code, 0) << checked.err << text;
  const auto seen = Ask({"source", "preview", "guessed", "--allow-loopback"});
  EXPECT_THAT(seen.out, HasSubstr(mapped)) << seen.err << text;
}

INSTANTIATE_TEST_SUITE_P(
    Fixtures, RecordedAnswers,
    ::testing::Values(
        Recorded{"crossref/works_ecology_rows30_cursor_p1.json",
                 "/works?query=ecology&rows=30&cursor=*",
                 "30 mapped, 0 bad",
                 {"items: $.message.items", "id: $.DOI", "$.indexed['date-time']", "style: token",
                  "$.message['next-cursor']", "first: \"*\"", "total-results"}},
        Recorded{"datacite/dois_page1_size5.json",
                 "/dois?page%5Bsize%5D=5&page%5Bnumber%5D=1",
                 "5 mapped, 0 bad",
                 {"items: $.data", "id: $.id", "$.attributes.updated", "next: $.links.next",
                  "total: $.meta.total  ", "\"page[size]\": \"${page.size}\""}},
        Recorded{"europepmc/cursor_walk_p1.json",
                 "/search?query=x&format=json&cursorMark=*&pageSize=25",
                 " mapped, 0 bad",
                 {"items: $.resultList.result", "style: token", "next: $.nextCursorMark",
                  "total: $.hitCount"}},
        Recorded{"arxiv/atom_testing_s0_m10.xml",
                 "/api/query?search_query=testing&start=0&max_results=10",
                 "10 mapped, 0 bad",
                 {"items: /feed/entry", "id: id", "updated: updated", "style: offset",
                  "opensearch:totalResults"}},
        Recorded{"oai-pmh/zenodo_single.xml",
                 "/oai2d?verb=ListRecords&metadataPrefix=oai_dc",
                 " mapped, 0 bad",
                 {"extends: oai-pmh", "prefix: \"oai_dc\""}}));

TEST_F(FirstHour, AGuessedDefinitionHarvestsWhatItWasGuessedFrom) {
  body_ = R"({"results":[{"key":"a","changed":"2026-01-02T00:00:00Z","n":1},)"
          R"({"key":"b","changed":"2026-01-03T00:00:00Z","n":2}],"count":9,"total":2})";
  ASSERT_EQ(Guess("/things?kind=all").code, 0);
  const auto harvested = Ask({"harvest", "guessed", "--allow-loopback"});
  EXPECT_EQ(harvested.code, 0) << harvested.out << harvested.err << TextOf("sources/guessed.yaml");
  EXPECT_THAT(harvested.out, HasSubstr("2 new"));
}

TEST_F(FirstHour, TheGatesRateOfTheConfigurationIsKeptByEveryOperation) {
  body_ = R"({"results":[{"key":"a","n":1},{"key":"b","n":2}],"total":2})";
  ASSERT_EQ(Guess("/things").code, 0);
  std::ofstream(folder_.Path("patra.yaml")) << "gate: {rate: 50/s}\n";
  const auto config = folder_.Path("patra.yaml");
  EXPECT_EQ(Ask({"harvest", "guessed", "--allow-loopback", "--config", config}).code, 0);
  EXPECT_THAT(Ask({"gate", "list"}).out, HasSubstr("guessed/items/HARVEST"));
  EXPECT_THAT(Ask({"config", "show", "--config", config}).out,
              ::testing::ContainsRegex("gate.rate +50/s +.*patra.yaml:1"));
  std::ofstream(folder_.Path("patra.yaml")) << "gate: {rate: fast}\n";
  EXPECT_EQ(Ask({"gate", "policy", "--config", config}).code, 78);
}

TEST_F(FirstHour, ASecretInTheAddressIsSentAndWrittenNowhere) {
  body_ = R"({"items":[{"id":1,"api_key":"a-secret-of-mine-1"},{"id":2}]})";
  const auto guessed = Guess("/things?api_key=a-secret-of-mine-1&limit=2");
  EXPECT_EQ(guessed.code, 0) << guessed.err;
  EXPECT_THAT(server_.requests().at(0).target, HasSubstr("a-secret-of-mine-1"));
  const auto text = TextOf("sources/guessed.yaml");
  EXPECT_THAT(text + guessed.out + guessed.err, Not(HasSubstr("a-secret-of-mine-1")));
  EXPECT_THAT(text, HasSubstr("${env:GUESSED_KEY}"));
  EXPECT_EQ(Ask({"source", "check"}).code, 0);
}

TEST_F(FirstHour, WhatMayBeASecretIsNamedOnTheErrorStream) {
  body_ = R"({"items":[{"id":1},{"id":2}]})";
  const auto guessed = Guess("/t0k3nS3cr3tV4lue9/things?user_id=S3cr3tKeyValue99&limit=2");
  EXPECT_EQ(guessed.code, 0) << guessed.err;
  EXPECT_THAT(guessed.err, HasSubstr("'user_id' looks random"));
  EXPECT_THAT(guessed.err, HasSubstr("part 1 of the path looks random"));
  EXPECT_THAT(guessed.err, Not(HasSubstr("S3cr3tKey")));
  EXPECT_THAT(TextOf("sources/guessed.yaml"), Not(HasSubstr("S3cr3tKey")));
  EXPECT_EQ(Ask({"source", "check"}).code, 0);
}

TEST_F(FirstHour, LookingMakesNoStoreAndWritesOverNothing) {
  body_ = R"([{"id":1}])";
  ASSERT_EQ(Guess("/x").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("patra.db")));
  const auto asked = server_.requests().size();
  EXPECT_EQ(Guess("/x").code, 1);
  EXPECT_EQ(server_.requests().size(), asked) << "nobody is asked in vain";
}

TEST_F(FirstHour, AnAddressThatMayNotBeAskedIsNotAsked) {
  const auto refused = Ask({"source", "init", "guessed", folder_.Path("sources/g.yaml"),
                            "--from-url", server_.url("/x")});
  EXPECT_EQ(refused.code, 78) << refused.err;
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(FirstHour, WhatIsNoListOfRecordsSaysSo) {
  body_ = "<html><p>Hello";
  EXPECT_EQ(Guess("/x").code, 78);
  body_ = R"({"items":[]})";
  const auto empty = Guess("/x");
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.err, HasSubstr("no list of records"));
}

constexpr const char* kOaiPage = R"(<?xml version="1.0"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-01T00:00:00Z</responseDate>
<ListRecords><record><header><identifier>oai:x:1</identifier><datestamp>2026-01-01T10:00:00Z</datestamp></header>
<metadata><dc xmlns="http://purl.org/dc/elements/1.1/"><title>One</title></dc></metadata></record></ListRecords></OAI-PMH>)";

TEST_F(FirstHour, ARepositoryOfAKnownKindIsHarvestedByItsAddress) {
  UseShipped("oai-pmh");
  body_ = kOaiPage;
  content_type_ = "text/xml";
  const std::vector<std::string> command{
      "harvest",         "oai-pmh",    "--base-url", server_.url("/oai?verb=Identify"),
      "--from",          "2026-01-01", "--to",       "2026-01-02",
      "--allow-loopback"};
  const auto first = Ask(command);
  EXPECT_THAT(first.out, HasSubstr("1 new")) << first.err;
  EXPECT_THAT(first.err, HasSubstr("is written"));
  const auto name =
      fmt::format("127-0-0-1-{}", server_.host().substr(server_.host().find(':') + 1));
  const auto text = TextOf("sources/" + name + ".yaml");
  EXPECT_THAT(text, HasSubstr("extends: oai-pmh"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;

  const auto second = Ask(command);
  EXPECT_THAT(second.err, Not(HasSubstr("is written")));
  EXPECT_EQ(second.code, first.code) << second.err;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.Path("sources")), {}), 2);
}

TEST_F(FirstHour, OnlyASourceThatIsToBeExtendedTakesAnAddress) {
  UseShipped("oai-pmh");
  UseShipped("crossref");
  EXPECT_EQ(Ask({"harvest", "crossref", "--base-url", "https://example.org/oai"}).code, 78);
  EXPECT_EQ(Ask({"harvest", "oai-pmh", "--base-url", "not an address"}).code, 78);
  const auto dry =
      Ask({"harvest", "oai-pmh", "--base-url", "https://example.org/oai", "--dry-run"});
  EXPECT_EQ(dry.code, 1);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.Path("sources")), {}), 2)
      << "a dry run writes nothing at all";
}

}  // namespace patra::first_hour_test
