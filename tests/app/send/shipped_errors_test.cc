// What providers really answer when something is wrong, through the shipped definitions' own rules.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/port/transport.h"
#include "app/source/sources.h"
#include "domain/error/verdict.h"
#include "domain/page/page_reader.h"
#include "infra/definitions/yaml_files.h"

namespace patra::testing::shipped_errors_test {

using namespace std::chrono_literals;
using domain::ErrorAction;
using domain::ErrorLevel;

struct Exchange {
  const char* what;
  const char* source;  // source/endpoint
  bool is_detail;
  int status;
  const char* type;
  const char* body;
  ErrorLevel level;
  std::optional<ErrorAction> action;
};

void PrintTo(const Exchange& exchange, std::ostream* out) { *out << exchange.what; }

class ShippedErrors : public ::testing::TestWithParam<Exchange> {
 protected:
  domain::SpecSnapshot Spec(const std::string& name) {
    infra::definitions::YamlFiles files;
    app::Sources sources(files, PATRA_SOURCE_DIR "/sources");
    const auto report = sources.Compile(name, {});
    EXPECT_TRUE(report) << report.error().Describe();
    return *domain::SpecSnapshot::FromValue(*ParseJson(report->snapshot));
  }
};

TEST_P(ShippedErrors, AreJudged) {
  const auto& given = GetParam();
  const auto spec = Spec(given.source);
  const app::HttpResponse response{
      .status = given.status,
      .content_type = given.type,
      .headers = {},
      .body = given.body,
      .received_at = Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 10h)};
  const auto reader = domain::PageReader::Compile(spec).value();
  const auto page = reader.Read(response.answer(),
                                given.is_detail ? domain::Phase::kDetail : domain::Phase::kSearch);
  const domain::ErrorRule* rule = page && page->rule ? &*page->rule : nullptr;
  const auto verdict = domain::JudgeAnswer({.status = response.status,
                                            .headers = response.headers,
                                            .received_at = response.received_at,
                                            .rule = rule,
                                            .text = response.body},
                                           spec.retry);
  EXPECT_EQ(Code(verdict.level), Code(given.level)) << verdict.reason;
  EXPECT_EQ(verdict.action, given.action);
}

constexpr auto kJson = "application/json";
constexpr auto kXml = "text/xml";
constexpr auto kHtml = "text/html";

const std::vector<Exchange>& Exchanges() {
  static const std::vector<Exchange> exchanges{
      Exchange{"PubMed, an error in a 200 whose JSON is broken", "pubmed/articles", false, 200,
               kJson, "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: \nException\"}}",
               ErrorLevel::kL1, ErrorAction::kRetry},
      Exchange{"PubMed, beyond the wall", "pubmed/articles", false, 200, kJson,
               "{\"esearchresult\":{\"ERROR\":\"Search Backend failed: 'retstart' cannot be "
               "larger than 9998.\n\"}}",
               ErrorLevel::kL2, ErrorAction::kFail},
      Exchange{"PubMed, too often", "pubmed/articles", false, 429, kJson,
               R"({"error":"API rate limit exceeded","count":"5","limit":"3"})", ErrorLevel::kL1,
               ErrorAction::kWait},
      Exchange{"PubMed, a web page for records", "pubmed/articles", true, 200, kHtml,
               "<html><body>WWW Error 500 Diagnostic</body></html>", ErrorLevel::kL1,
               ErrorAction::kRetry},
      Exchange{"Crossref, a cursor that is over", "crossref/works", false, 404, kJson,
               R"({"status":"failed","message":[{"type":"cursor-invalid"}]})", ErrorLevel::kL1,
               ErrorAction::kRestartSlice},
      Exchange{"Crossref, a wrong filter", "crossref/works", false, 400, kJson,
               R"({"status":"failed","message-type":"validation-failure","message":[]})",
               ErrorLevel::kL2, ErrorAction::kFail},
      Exchange{"Crossref, too often, in HTML", "crossref/works", false, 429, kHtml, "<html>",
               ErrorLevel::kL1, ErrorAction::kWait},
      Exchange{"Crossref, a gateway's page", "crossref/works", false, 504, kHtml, "<html>",
               ErrorLevel::kL1, ErrorAction::kRetry},
      Exchange{"Crossref, blocked", "crossref/works", false, 403, kHtml, "<html>", ErrorLevel::kL4,
               ErrorAction::kStop},
      Exchange{"OAI-PMH, nothing there", "arxiv/records", false, 200, kXml,
               R"(<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error )"
               R"(code="noRecordsMatch">x</error></OAI-PMH>)",
               ErrorLevel::kNone, ErrorAction::kEmpty},
      Exchange{"OAI-PMH, a token that is over", "arxiv/records", false, 200, kXml,
               R"(<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error )"
               R"(code="badResumptionToken">x</error></OAI-PMH>)",
               ErrorLevel::kL1, ErrorAction::kRestartSlice},
      Exchange{"OAI-PMH, a wrong argument", "arxiv/records", false, 200, kXml,
               R"(<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error )"
               R"(code="badArgument">x</error></OAI-PMH>)",
               ErrorLevel::kL2, ErrorAction::kFail},
      Exchange{"OAI-PMH, flow control", "arxiv/records", false, 503, kHtml, "Retry after 30 s",
               ErrorLevel::kL1, ErrorAction::kRetry},
      Exchange{"TuShare, too often", "tushare/daily", false, 200, kJson,
               R"json({"code":40203,"msg":"抱歉，您每分钟最多访问该接口500次","data":null})json",
               ErrorLevel::kL1, ErrorAction::kWait},
      Exchange{"TuShare, too often, newer", "tushare/daily", false, 200, kJson,
               R"json({"code":40203,"msg":"频率超限(200次/分钟)","data":null})json",
               ErrorLevel::kL1, ErrorAction::kWait},
      Exchange{"TuShare, not allowed", "tushare/daily", false, 200, kJson,
               R"json({"code":40203,"msg":"抱歉，您没有接口(daily)访问权限","data":null})json",
               ErrorLevel::kL4, ErrorAction::kStop},
      Exchange{"TuShare, a wrong token", "tushare/daily", false, 200, kJson,
               R"json({"code":40101,"msg":"您的token不对，请确认。","data":null})json",
               ErrorLevel::kL4, ErrorAction::kStop},
      Exchange{"TuShare, wrong parameters", "tushare/daily", false, 200, kJson,
               R"json({"code":-2001,"msg":"参数校验失败","data":null})json", ErrorLevel::kL2,
               ErrorAction::kFail},
      Exchange{"PubMed, a key that is refused", "pubmed/articles", false, 401, kJson, "{}",
               ErrorLevel::kL4, ErrorAction::kStop},
      Exchange{"OAI-PMH, nobody is let in", "arxiv/records", false, 401, kHtml, "<html>",
               ErrorLevel::kL4, ErrorAction::kStop}};
  return exchanges;
}

INSTANTIATE_TEST_SUITE_P(OfProviders, ShippedErrors, ::testing::ValuesIn(Exchanges()));

// The levels have examples from every provider. (L3 is about records, and not about answers.)
TEST(ShippedErrorLevels, EverySourceHasAnExampleOfEachLevel) {
  std::map<std::string, std::set<std::string_view>> levels;
  for (const auto& exchange : Exchanges()) {
    const std::string_view name = exchange.source;
    levels[std::string(name.substr(0, name.find('/')))].insert(Code(exchange.level));
  }
  for (const auto* source : {"arxiv", "crossref", "pubmed", "tushare"}) {
    for (const auto* level : {"L1", "L2", "L4"})
      EXPECT_TRUE(levels[source].contains(level)) << source << " has no " << level;
  }
}

}  // namespace patra::testing::shipped_errors_test
