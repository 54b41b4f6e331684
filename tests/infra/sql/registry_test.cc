#include "infra/sql/registry.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "app/source/source_catalog.h"
#include "base/clock.h"
#include "domain/spec/dictionary_types.h"
#include "domain/task/states.h"
#include "domain/word/actor.h"
#include "domain/word/adjustment.h"
#include "domain/word/alert.h"
#include "domain/word/execution.h"
#include "domain/word/operation.h"
#include "domain/word/quarantined.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/connection.h"
#include "infra/sqlite/store.h"
#include "tests/temporary_folder.h"

namespace patra::infra::sql::registry_test {

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

// Steps of SQLite's own machine, of all that was asked since.
std::int64_t TakeSteps(infra::sql::Session& session) {
  auto* handle = static_cast<sqlite::Connection&>(session).handle();
  std::int64_t steps = 0;
  for (auto* s = sqlite3_next_stmt(handle, nullptr); s != nullptr; s = sqlite3_next_stmt(handle, s))
    steps += sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1);
  return steps;
}

TEST_F(RegistryTest, ASourceIsReadWithTheSameEffortHoweverManyOthersThereAre) {
  const auto steps_of = [&](auto&& ask) {
    const auto take = [&] {
      return *store_->Read([](auto& s) -> Result<std::int64_t> { return TakeSteps(s); });
    };
    ask();
    take();
    ask();
    return take();
  };
  const auto find = [&] { EXPECT_TRUE((*registry_->Find("one", kStart, ""))->definition); };
  const auto all = [&] { EXPECT_TRUE(registry_->Export(kStart)); };
  const auto definition = [](const std::string& name) {
    return Definition("{source: " + name +
                      ", name: N, retry: {attempts: 5}, limits: [{rate: 1/s}]}");
  };
  ASSERT_TRUE(registry_->Apply({.definitions = {definition("one")}}, kStart));
  const auto alone = steps_of(find);
  const auto all_alone = steps_of(all);
  std::vector<DefinitionNode> others;
  for (int i = 0; i < 200; ++i) others.push_back(definition("other" + std::to_string(i)));
  ASSERT_TRUE(registry_->Apply({.definitions = others}, kStart));
  EXPECT_GT(alone, 0);
  EXPECT_LE(steps_of(find), alone + alone / 10) << "a few more to see where its rows end";
  EXPECT_GT(steps_of(all), 20 * all_alone) << "the measure measures";
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

template <typename E, std::size_t kCount>
std::vector<std::string> CodesFrom(const std::array<E, kCount>& values) {
  std::vector<std::string> codes;
  for (const auto value : values) codes.emplace_back(domain::Code(value));
  return codes;
}

// What the seeds list and patra has no use for yet.
const std::set<std::string> kOnlyInDictionary{
    "ing_operation METRICS", "ing_slice_strategy CURSOR_LANDMARK", "ing_slice_strategy HYBRID",
    "ing_trigger_type RETRY"};

template <domain::CodedEnum E>
std::pair<std::string, std::vector<std::string>> TypeOf() {
  return {std::string(domain::DictionaryOf(E{})), CodesIn<E>()};
}

// Of each type, what the code may write into a column or a snapshot.
std::map<std::string, std::vector<std::string>> CodesByType() {
  using namespace domain;
  return {
      TypeOf<HttpMethod>(),
      TypeOf<EndpointRole>(),
      TypeOf<AuthType>(),
      TypeOf<KeyOrder>(),
      TypeOf<AuthLocation>(),
      TypeOf<PagingStyle>(),
      TypeOf<WalkEnd>(),
      TypeOf<TokenKind>(),
      TypeOf<OffsetStep>(),
      TypeOf<PagedBy>(),
      TypeOf<SplitKind>(),
      TypeOf<WindowFilter>(),
      TypeOf<Granularity>(),
      TypeOf<WindowEnds>(),
      TypeOf<SortDirection>(),
      TypeOf<TotalKind>(),
      TypeOf<TotalPages>(),
      TypeOf<ResponseFormat>(),
      TypeOf<ItemsMissing>(),
      TypeOf<TextCase>(),
      TypeOf<FieldType>(),
      TypeOf<RateScope>(),
      TypeOf<ErrorAction>(),
      TypeOf<BackoffCurve>(),
      TypeOf<CursorScope>(),
      TypeOf<GonePolicy>(),
      TypeOf<ExprOperator>(),
      {"ing_adjustment_kind", CodesIn<AdjustmentKind>()},
      {"ing_way", CodesIn<Way>()},
      {"scheduler_execution_status", CodesIn<ExecutionStatus>()},
      {"scheduler_firing_type", CodesIn<FiringType>()},
      {"scheduler_misfire", CodesIn<Misfire>()},
      {"scheduler_job_origin", CodesIn<JobOrigin>()},
      {"ing_operation",
       CodesFrom(std::array{Operation::kHarvest, Operation::kBackfill, Operation::kUpdate})},
      {"ing_alert_severity",
       CodesFrom(std::array{Severity::kInfo, Severity::kWarn, Severity::kCritical})},
      {"ing_quarantine_status",
       CodesFrom(std::array{QuarantineStatus::kOpen, QuarantineStatus::kApproved,
                            QuarantineStatus::kRejected, QuarantineStatus::kRetried})},
      {"ing_error_level", {"L1", "L2", "L3", "L4"}},
      {"ing_wait_reason",
       {"NONE", "PACE", "WINDOW", "CONCURRENCY", "QUOTA", "COOL_DOWN", "BREAKER_OPEN", "TURN",
        "RETRY_BUDGET", "REFUSED", "NEWER_PATRA"}},
      {"ing_slice_strategy", {"TIME", "ID_RANGE", "ID_HASH", "VOLUME_BUDGET", "SINGLE", "PAGE"}},
      {"ing_namespace_scope", {"GLOBAL", "EXPR", "CUSTOM"}},
      {"ing_trigger_type", {"SCHEDULE", "MANUAL", "API", "HEAL"}},
      {"ing_plan_status", CodesOfStates<PlanStatus>()},
      {"ing_slice_status", CodesOfStates<SliceStatus>()},
      {"ing_task_run_status", CodesOfStates<RunStatus>()},
      {"ing_batch_status", CodesOfStates<BatchStatus>()},
      {"ing_cursor_direction", {"FORWARD", "BACKFILL", "MANUAL"}},
      {"ing_task_status", CodesOfStates<TaskStatus>()}};
}

TEST_F(RegistryTest, TheDictionaryAndTheTablesOfCodesAgreeBothWays) {
  const auto dictionary = registry_->Codes();
  ASSERT_TRUE(dictionary) << dictionary.error().Describe();
  for (const auto& [type, codes] : CodesByType()) {
    for (const auto& code : codes)
      EXPECT_TRUE(dictionary->Check(type, code)) << type << " " << code;
    for (const auto& code : dictionary->EnabledOf(type)) {
      const bool is_known = std::ranges::find(codes, code) != codes.end();
      EXPECT_TRUE(is_known || kOnlyInDictionary.contains(type + " " + code)) << type << " " << code;
    }
  }
}

// The type of what each column of codes holds: of those that are called alike, and of single ones.
const std::map<std::string, std::string> kTypeOfColumns{
    {"operation_code", "ing_operation"},
    {"lifecycle_status_code", "lifecycle_status"},
    {"namespace_scope_code", "ing_namespace_scope"},
    {"cursor_type_code", "ing_cursor_type"},
    {"direction_code", "ing_cursor_direction"},
    {"slice_strategy_code", "ing_slice_strategy"},
    {"trigger_type_code", "ing_trigger_type"},
    {"scheduler_code", "ing_scheduler"},
    {"kind_code", "ing_adjustment_kind"},
    {"severity_code", "ing_alert_severity"},
    {"way_code", "ing_way"},
    {"role_code", "ing_paused_role"},
    {"waits_for_code", "ing_wait_reason"},
    {"signal_type_code", "ing_signal_type"},
    {"relay_status", "ing_relay_status"},
    {"op_type", "ing_outbox_operation"},
    {"misfire_code", "scheduler_misfire"},
    {"origin_code", "scheduler_job_origin"},
    {"type_code", "scheduler_firing_type"},
    {"data_type_code", "reg_data_type"},
    {"cardinality_code", "reg_cardinality"},
    {"auth_type", "auth_type"},
    {"inbound_location_code", "inbound_location"},
    {"credential_order_code", "credential_order"},
    {"endpoint_usage_code", "endpoint_usage"},
    {"http_method_code", "http_method"},
    {"cursor_scope_code", "cursor_scope"},
    {"order_direction", "sort_direction"},
    {"gone_code", "gone_policy"},
    {"pagination_mode_code", "pagination_mode"},
    {"offset_step_code", "offset_step"},
    {"paged_by_code", "paged_by"},
    {"token_kind_code", "token_kind"},
    {"bucket_granularity_scope_code", "bucket_granularity_scope"},
    {"response_format_code", "response_format"},
    {"items_missing_code", "items_missing"},
    {"backoff_policy_type_code", "backoff_policy_type"},
    {"window_filter_code", "window_filter"},
    {"granularity_code", "granularity"},
    {"window_ends_code", "window_ends"},
    {"ing_plan.status_code", "ing_plan_status"},
    {"ing_plan_slice.status_code", "ing_slice_status"},
    {"ing_task.status_code", "ing_task_status"},
    {"ing_task_run.status_code", "ing_task_run_status"},
    {"ing_task_run_batch.status_code", "ing_batch_status"},
    {"ing_batch_rollup.status_code", "ing_batch_status"},
    {"ing_outbox_message.status_code", "ing_outbox_status"},
    {"ing_alert.status_code", "ing_alert_status"},
    {"ing_enumerated_id.status_code", "ing_found_id_status"},
    {"ing_fuse.status_code", "ing_fuse_status"},
    {"ing_quarantine.level_code", "ing_quarantine_level"},
    {"ing_quarantine.status_code", "ing_quarantine_status"},
    {"ing_signal.status_code", "ing_signal_status"},
    {"ing_promotion.direction_code", "ing_promotion_direction"},
    {"ing_promotion.state_code", "ing_promotion_state"},
    {"ing_archive_index.state_code", "ing_archive_state"},
    {"scheduler_execution_log.status_code", "scheduler_execution_status"}};

// What is called a code and comes from elsewhere.
const std::set<std::string> kNoCodes{
    "provenance_code",  // a name
    "last_error_code",
    "error_code",  // rules and statuses of providers among them
    "item_code",
    "external_code",  // the dictionary itself
    "sys_dict_type.type_code",
};

TEST_F(RegistryTest, EveryColumnOfCodesHasATypeInTheDictionary) {
  const auto columns = store_->Read([](infra::sql::Session& session)
                                        -> Result<std::vector<std::string>> {
    std::vector<std::string> found;
    auto rows = PATRA_TRY(session.Query(
        "SELECT m.name || '.' || c.name AS name FROM sqlite_schema AS m, "
        "pragma_table_info(m.name) AS c WHERE m.type = 'table' AND (c.name LIKE '%\\_code' "
        "ESCAPE '\\' OR c.name IN ('auth_type', 'order_direction', 'relay_status', 'op_type'))"));
    while (PATRA_TRY(rows.Next())) found.push_back(rows.Text("name"));
    return found;
  });
  ASSERT_TRUE(columns) << columns.error().Describe();
  EXPECT_GT(columns->size(), 80u);
  const auto dictionary = registry_->Codes();
  for (const auto& column : *columns) {
    const auto name = column.substr(column.find('.') + 1);
    if (kNoCodes.contains(column) || kNoCodes.contains(name)) continue;
    auto type = kTypeOfColumns.find(column);
    if (type == kTypeOfColumns.end()) type = kTypeOfColumns.find(name);
    ASSERT_NE(type, kTypeOfColumns.end()) << column;
    EXPECT_FALSE(dictionary->EnabledOf(type->second).empty()) << column;
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

}  // namespace patra::infra::sql::registry_test
