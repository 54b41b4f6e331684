// The shipped definitions over what the providers really answered.
#include <algorithm>

#include <gmock/gmock.h>
#include <ostream>

#include <gtest/gtest.h>

#include "app/source/source_catalog.h"
#include "domain/page/page_reader.h"
#include "infra/definitions/yaml_files.h"
#include "tests/conformance/shared.h"

namespace patra::recorded_responses_test {

using ::testing::HasSubstr;

struct Recording {
  const char* target;  // SOURCE/ENDPOINT
  const char* file;
  std::size_t records = 0;
  const char* rule = "";  // an error rule, instead of records
  int status = 200;
  bool details = false;
  std::size_t quarantined = 0;
};

void PrintTo(const Recording& recording, std::ostream* out) { *out << recording.file; }

class Recorded : public ::testing::TestWithParam<Recording> {};

TEST_P(Recorded, IsMappedByTheShippedDefinition) {
  const auto& recording = GetParam();
  const auto path = testing::SharedFolder() / "fixtures" / recording.file;
  SKIP_WITHOUT_SHARED(path);

  infra::definitions::YamlFiles files;
  const auto catalog = app::SourceCatalog::Load(
      files, (std::filesystem::path(PATRA_SOURCE_DIR) / "sources").string());
  ASSERT_TRUE(catalog);
  const std::string target = recording.target;
  const auto slash = target.find('/');
  const auto entry = catalog->Find(target.substr(0, slash));
  ASSERT_TRUE(entry);
  const auto compiled = domain::CompileSource(
      {.definition = (*entry)->definition.tree, .endpoint = target.substr(slash + 1)});
  ASSERT_TRUE(compiled);

  const auto reader = domain::PageReader::Compile(compiled->spec);
  ASSERT_TRUE(reader) << reader.error().Describe();
  const Instant after_all{std::chrono::sys_days{std::chrono::year{2100} / 1 / 1}};
  const auto body = testing::ReadFile(path);
  const auto content =
      reader->Read({.status = recording.status, .body = body, .received_at = after_all},
                   recording.details ? domain::Phase::kDetail : domain::Phase::kSearch);
  ASSERT_TRUE(content) << content.error().Describe();
  EXPECT_EQ(content->rule ? domain::LowerCode(CodeOf(content->rule->action)) : "", recording.rule);
  EXPECT_EQ(content->records.size() + content->ids.size(), recording.records);
  EXPECT_EQ(content->bad_records.size(), recording.quarantined)
      << (content->bad_records.empty() ? "" : content->bad_records.front().reason);
  // Dryad lists records under embargo without a word about them; no page is like that throughout.
  const bool has_mapped = std::ranges::any_of(
      content->records, [](const auto& record) { return record.fields != "{}"; });
  EXPECT_TRUE(content->records.empty() || has_mapped);
}

INSTANTIATE_TEST_SUITE_P(
    Responses, Recorded,
    ::testing::Values(
        Recording{"crossref/works", "crossref/works_from_until_index_date.json", 20},
        Recording{"crossref/works", "crossref/works_empty.json", 0},
        Recording{"crossref/works", "crossref/works_ecology_rows30_cursor_p1.json", 30},
        Recording{"crossref/works", "crossref/err_404_cursor_invalid.json", 0, "restart_slice",
                  404},
        Recording{"crossref/works", "crossref/err_500_exception.json", 0, "restart_slice", 500},
        Recording{"crossref/works", "crossref/err_400_filter_not_available.json", 0, "fail", 400},
        Recording{"crossref/works", "crossref/err_429_html.html", 0, "wait", 429},
        Recording{"pubmed/articles", "pubmed/esearch_json_warning.json", 5},
        Recording{"pubmed/articles", "pubmed/err_429_rate_limit.json", 0, "wait", 429},
        Recording{"pubmed/articles", "pubmed/efetch_batch5.xml", 5, "", 200, true},
        Recording{"pubmed/articles", "pubmed/efetch_two.xml", 2, "", 200, true},
        Recording{"pubmed/articles", "pubmed/efetch_markup_math.xml", 1, "", 200, true},
        Recording{"pubmed/articles", "pubmed/err_400_efetch_history_range.xml", 0, "retry", 400,
                  true},
        Recording{"pubmed/articles", "pubmed/efetch_html_not_xml.html", 0, "retry", 200, true},
        Recording{"arxiv/records", "arxiv/oai_listrecords_20141224.xml", 897},
        Recording{"arxiv/records", "oai-pmh/bepress_calpoly_p1.xml", 100},
        Recording{"arxiv/records", "oai-pmh/dspace_dryad_p3.xml", 94},
        Recording{"arxiv/records", "oai-pmh/dash_deleted.xml", 20},
        Recording{"arxiv/records", "oai-pmh/zenodo_single.xml", 7},
        Recording{"arxiv/records", "oai-pmh/citeseerx_empty_token.xml", 306},
        Recording{"arxiv/records", "oai-pmh/spec_example_noRecordsMatch.xml", 0, "empty"},
        Recording{"arxiv/records", "oai-pmh/spec_example_badResumptionToken.xml", 0,
                  "restart_slice"},
        Recording{"arxiv/records", "oai-pmh/spec_example_badArgument.xml", 0, "fail"},
        Recording{"tushare/stock_basic", "tushare/stock_basic_full.json", 5418},
        Recording{"tushare/stock_basic", "tushare/err_40203_hourly_limit.json", 0, "wait"},
        Recording{"tushare/stock_basic", "tushare/err_40203_no_permission.json", 0, "stop"}));

}  // namespace patra::recorded_responses_test
