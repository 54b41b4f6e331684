#include "infra/sql/registry.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/source/source_catalog.h"
#include "base/clock.h"
#include "domain/task/states.h"
#include "domain/word/operation.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/store.h"
#include "tests/temporary_folder.h"

namespace patra::infra::sql {
namespace {

using namespace std::chrono_literals;
using domain::DefinitionNode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class RegistryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = sqlite::Store::Open({.path = folder_.Path("p.db")}, clock_);
    ASSERT_TRUE(store) << store.error().Describe();
    store_ = *std::move(store);
    registry_.emplace(*store_, ids_);
  }

  static DefinitionNode Definition(const std::string& text) {
    auto checked = domain::CheckDefinition(definitions::ParseYaml(text, "t.yaml").tree, nullptr);
    EXPECT_THAT(checked.problems, IsEmpty());
    return checked.tree;
  }

  std::vector<DefinitionNode> Shipped() {
    definitions::YamlFiles files;
    return app::LoadForRegistry(files, std::string(PATRA_SOURCE_DIR) + "/sources")
        ->content.definitions;
  }

  std::int64_t Count(const std::string& sql) {
    return *store_->Read([&](infra::sql::Session& connection) { return connection.Integer(sql); });
  }

  testing::TemporaryFolder folder_;
  SystemClock clock_;
  IdGenerator ids_{clock_, 1};
  std::unique_ptr<sqlite::Store> store_;
  std::optional<Registry> registry_;
};

TEST_F(RegistryTest, WhatIsExportedCompilesToTheSameFingerprint) {
  const auto shipped = Shipped();
  ASSERT_THAT(shipped, Not(IsEmpty()));
  ASSERT_TRUE(registry_->Apply({.definitions = shipped}, kStart));
  EXPECT_THAT(*registry_->Diff({.definitions = shipped}), IsEmpty());
  const auto exported = registry_->Export(kStart);
  ASSERT_TRUE(exported) << exported.error().Describe();
  ASSERT_EQ(exported->size(), shipped.size());
  for (std::size_t i = 0; i < shipped.size(); ++i) {
    const auto text = definitions::YamlFiles().Print((*exported)[i]);
    const auto read = Definition(text);
    for (const auto& endpoint : domain::CheckedDefinition{shipped[i], {}}.endpoints()) {
      const auto before = domain::CompileSource({.definition = shipped[i], .endpoint = endpoint});
      const auto after = domain::CompileSource({.definition = read, .endpoint = endpoint});
      ASSERT_EQ(before.has_value(), after.has_value()) << endpoint;
      if (!before) continue;
      EXPECT_EQ(SpecFingerprint(before->spec), SpecFingerprint(after->spec)) << endpoint;
    }
  }
}

TEST_F(RegistryTest, AChangeClosesOneRowAndOpensAnotherFromThatMomentOn) {
  const auto first = Definition("{source: demo, retry: {attempts: 5, first: 1s}, cost: 2}");
  const auto second = Definition("{source: demo, retry: {attempts: 7, first: 1s}, cost: 2}");
  ASSERT_TRUE(registry_->Apply({.definitions = {first}}, kStart));
  const auto changes = registry_->Apply({.definitions = {second}}, kStart + 1h);
  ASSERT_TRUE(changes);
  ASSERT_THAT(*changes, SizeIs(1));
  EXPECT_EQ(changes->front().Describe(), "demo/* reg_prov_retry_cfg.max_attempts: 5 -> 7");
  EXPECT_EQ(Count("SELECT COUNT(*) FROM reg_prov_retry_cfg"), 2);
  EXPECT_EQ(Count("SELECT COUNT(*) FROM reg_prov_endpoint_def"), 1) << "it did not change";
  EXPECT_EQ(registry_->Export(kStart)->front().At("retry.attempts")->text, "5");
  EXPECT_EQ(registry_->Export(kStart + 1h)->front().At("retry.attempts")->text, "7");
}

TEST_F(RegistryTest, TheCurveOfRetriesIsKept) {
  const auto definition = Definition("{source: demo, retry: {backoff: full_jitter}}");
  ASSERT_TRUE(registry_->Apply({.definitions = {definition}}, kStart));
  EXPECT_EQ(registry_->Export(kStart)->front().At("retry.backoff")->text, "full_jitter");
}

TEST_F(RegistryTest, FromHowManyOnIdsAreJoinedIsKept) {
  const auto definition = Definition(R"yaml(
source: demo
endpoints:
  ids: {details: {endpoint: one, batch: 50, threshold: 3, combine_threshold: 20}}
  items: {refresh: {endpoint: one, batch: 40, threshold: 2, combine_threshold: 30}}
)yaml");
  ASSERT_TRUE(registry_->Apply({.definitions = {definition}}, kStart));
  const auto kept = registry_->Export(kStart)->front();
  for (const auto* at :
       {"endpoints.ids.details.threshold", "endpoints.ids.details.combine_threshold",
        "endpoints.items.refresh.threshold", "endpoints.items.refresh.combine_threshold"}) {
    ASSERT_NE(kept.At(at), nullptr) << at;
    EXPECT_EQ(kept.At(at)->text, definition.At(at)->text) << at;
  }
}

TEST_F(RegistryTest, NamesOfHooksAreKeptOnEveryLevel) {
  const auto definition = Definition(R"yaml(
source: demo
hooks: {response: jsonp}
endpoints:
  items: {hooks: {request: plain-separators, paging: after-last-id}}
)yaml");
  ASSERT_TRUE(registry_->Apply({.definitions = {definition}}, kStart));
  const auto kept = registry_->Export(kStart)->front();
  for (const auto* at :
       {"hooks.response", "endpoints.items.hooks.request", "endpoints.items.hooks.paging"}) {
    ASSERT_NE(kept.At(at), nullptr) << at;
    EXPECT_EQ(kept.At(at)->text, definition.At(at)->text) << at;
  }
}

TEST_F(RegistryTest, WhatIsUnsetWithinABlockStaysUnset) {
  const auto definition = Definition(R"yaml(
source: demo
response: {total: $.total}
endpoints:
  items: {response: {total: {path: ~, is: exact}}}
)yaml");
  ASSERT_TRUE(registry_->Apply({.definitions = {definition}}, kStart));
  const auto kept = Definition(definitions::YamlFiles().Print(registry_->Export(kStart)->front()));
  const auto* total = kept.At("endpoints.items.response.total");
  ASSERT_NE(total, nullptr);
  const auto path = std::ranges::find(total->members, "path", &domain::DefinitionMember::name);
  ASSERT_NE(path, total->members.end());
  EXPECT_TRUE(path->node.is_null());
}

TEST_F(RegistryTest, ABlockThatIsGoneIsClosed) {
  ASSERT_TRUE(registry_->Apply(
      {.definitions = {Definition("{source: demo, retry: {attempts: 5}}")}}, kStart));
  ASSERT_TRUE(
      registry_->Apply({.definitions = {Definition("{source: demo, name: Demo}")}}, kStart + 1h));
  EXPECT_EQ(registry_->Export(kStart + 1h)->front().At("retry"), nullptr);
  EXPECT_EQ(Count("SELECT COUNT(*) FROM reg_prov_retry_cfg WHERE effective_to IS NULL"), 0);
}

TEST_F(RegistryTest, OtherSourcesStayAsTheyAre) {
  ASSERT_TRUE(registry_->Apply({.definitions = {Definition("{source: one, name: One}")}}, kStart));
  ASSERT_TRUE(
      registry_->Apply({.definitions = {Definition("{source: two, name: Two}")}}, kStart + 1h));
  EXPECT_THAT(*registry_->Export(kStart + 2h), SizeIs(2));
}

TEST_F(RegistryTest, AllDefinitionsAreAppliedOrNone) {
  const auto good = Definition("{source: good, name: Good}");
  const auto bad = Definition("{source: bad, limits: [{rate: 1/s}]}");
  ASSERT_TRUE(store_->Write([](infra::sql::Session& connection) {
    return connection.Execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON reg_prov_rate_limit_cfg "
        "BEGIN SELECT RAISE(ABORT, 'no'); END");
  }));
  EXPECT_FALSE(registry_->Apply({.definitions = {good, bad}}, kStart));
  EXPECT_EQ(Count("SELECT COUNT(*) FROM reg_provenance"), 0);
}

template <domain::CodedEnum E>
std::vector<std::string> CodesIn() {
  std::vector<std::string> codes;
  for (const auto& [value, code] : domain::CodesOf(E{})) codes.emplace_back(code);
  return codes;
}

// Every state that a table of moves names.
template <typename Status>
std::vector<std::string> CodesOfStates() {
  std::set<std::string> codes;
  for (const auto& move : domain::Transitions<Status>()) {
    codes.emplace(domain::Code(move.from));
    codes.emplace(domain::Code(move.to));
  }
  return {codes.begin(), codes.end()};
}

// What the seeds list and patra has no use for yet.
const std::set<std::string> kOnlyInDictionary{
    "ing_operation METRICS", "ing_slice_strategy CURSOR_LANDMARK", "ing_slice_strategy HYBRID"};

TEST_F(RegistryTest, TheDictionaryAndTheTablesOfCodesAgreeBothWays) {
  const std::map<std::string, std::vector<std::string>> expected = {
      {"http_method", CodesIn<domain::HttpMethod>()},
      {"endpoint_usage", CodesIn<domain::EndpointRole>()},
      {"auth_type", CodesIn<domain::AuthType>()},
      {"inbound_location", CodesIn<domain::AuthLocation>()},
      {"pagination_mode", CodesIn<domain::PagingStyle>()},
      {"walk_end", CodesIn<domain::WalkEnd>()},
      {"offset_step", CodesIn<domain::OffsetStep>()},
      {"split_kind", CodesIn<domain::SplitKind>()},
      {"window_filter", CodesIn<domain::WindowFilter>()},
      {"granularity", CodesIn<domain::Granularity>()},
      {"window_ends", CodesIn<domain::WindowEnds>()},
      {"sort_direction", CodesIn<domain::SortDirection>()},
      {"total_kind", CodesIn<domain::TotalKind>()},
      {"response_format", CodesIn<domain::ResponseFormat>()},
      {"text_case", CodesIn<domain::TextCase>()},
      {"field_type", CodesIn<domain::FieldType>()},
      {"bucket_granularity_scope", CodesIn<domain::RateScope>()},
      {"error_action", CodesIn<domain::ErrorAction>()},
      {"cursor_scope", CodesIn<domain::CursorScope>()},
      {"backoff_policy_type", CodesIn<domain::BackoffCurve>()},
      {"reg_expr_op", CodesIn<domain::ExprOperator>()},
      {"ing_operation", {"HARVEST", "BACKFILL", "UPDATE"}},
      {"ing_slice_strategy", {"TIME", "ID_RANGE", "ID_HASH", "VOLUME_BUDGET", "SINGLE", "PAGE"}},
      {"ing_namespace_scope", {"GLOBAL", "EXPR", "CUSTOM"}},
      {"ing_plan_status", CodesOfStates<domain::PlanStatus>()},
      {"ing_slice_status", CodesOfStates<domain::SliceStatus>()},
      {"ing_task_run_status", CodesOfStates<domain::RunStatus>()},
      {"ing_batch_status", CodesOfStates<domain::BatchStatus>()},
      {"ing_cursor_direction", {"FORWARD", "BACKFILL", "MANUAL"}},
      {"ing_task_status", CodesOfStates<domain::TaskStatus>()}};
  for (const auto& [type, codes] : expected) {
    for (const auto& code : codes) {
      EXPECT_EQ(Count("SELECT COUNT(*) FROM v_sys_dict_item_enabled WHERE type_code = '" + type +
                      "' AND item_code = '" + code + "'"),
                1)
          << type << " " << code;
    }
    const auto sql =
        "SELECT item_code FROM v_sys_dict_item_enabled WHERE type_code = '" + type + "'";
    const auto listed =
        store_->Read([&](infra::sql::Session& connection) -> Result<std::vector<std::string>> {
          std::vector<std::string> found;
          auto rows = PATRA_TRY(connection.Query(sql));
          while (PATRA_TRY(rows.Next())) found.push_back(rows.Text(kOnly));
          return found;
        });
    ASSERT_TRUE(listed);
    for (const auto& code : *listed) {
      const bool is_known = std::ranges::find(codes, code) != codes.end();
      EXPECT_TRUE(is_known || kOnlyInDictionary.contains(type + " " + code)) << type << " " << code;
    }
  }
}

std::vector<domain::QueryField> Fields(const std::string& text) {
  std::vector<Error> problems;
  auto fields =
      domain::ReadFieldDictionary(definitions::ParseYaml(text, "fields.yaml").tree, problems);
  EXPECT_THAT(problems, IsEmpty());
  return fields;
}

TEST_F(RegistryTest, TheShippedDictionaryOfFieldsIsWhatAFreshStoreHas) {
  definitions::YamlFiles files;
  const auto shipped =
      app::LoadForRegistry(files, std::string(PATRA_SOURCE_DIR) + "/sources")->content;
  ASSERT_TRUE(shipped.fields);
  EXPECT_THAT(*registry_->Diff({.fields = shipped.fields}), IsEmpty());
  EXPECT_THAT(*registry_->Fields(), SizeIs(shipped.fields->size()));
}

TEST_F(RegistryTest, FieldsOfQueriesAreAddedChangedAndRemovedFieldByField) {
  const auto fields = Fields(
      "{fields: {title: {name: Titel, as: text}, "
      "gene: {name: Gene, about: 'A symbol', as: token, many: true, exposed: false}}}");
  const auto wanted = app::RegistryContent{.fields = fields};
  const auto difference = *registry_->Diff(wanted);
  std::vector<std::string> described;
  for (const auto& change : difference) described.push_back(change.Describe());
  EXPECT_THAT(described, ::testing::Contains("[title] reg_expr_field_dict.display_name: Title -> "
                                             "Titel"));
  EXPECT_EQ(registry_->Apply(wanted, kStart)->size(), difference.size());
  EXPECT_THAT(*registry_->Diff(wanted), IsEmpty());
  EXPECT_THAT(*registry_->Fields(), ElementsAre(fields[1], fields[0])) << "by key";
  // A folder without a dictionary says nothing about it.
  EXPECT_THAT(*registry_->Apply({}, kStart), IsEmpty());
  EXPECT_THAT(*registry_->Fields(), SizeIs(2));
}

TEST_F(RegistryTest, TheExportedDictionaryChangesNothing) {
  const auto file =
      definitions::YamlFiles().Print(domain::FieldDictionaryFile(*registry_->Fields()));
  EXPECT_THAT(*registry_->Diff({.fields = Fields(file)}), IsEmpty()) << file;
}

TEST(FieldDictionary, SaysAllThatIsWrongAtOnce) {
  std::vector<Error> problems;
  domain::ReadFieldDictionary(
      definitions::ParseYaml("{fields: {title: {as: txt}, author: {nam: Author, name: A}}}", "f")
          .tree,
      problems);
  ASSERT_THAT(problems, SizeIs(3));
  EXPECT_THAT(problems[0].hint + problems[1].hint + problems[2].hint, ::testing::HasSubstr("text"));
}

}  // namespace
}  // namespace patra::infra::sql
