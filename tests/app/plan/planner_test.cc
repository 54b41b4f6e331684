#include "app/plan/planner.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/registry.h"
#include "tests/app/plan/planning_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::app {
namespace {

using Kind = Planned::Kind;
using domain::Operation;

constexpr const char* kDefinition = R"yaml(
source: books
http: {base_url: "https://books.example"}
limits: [{rate: 1/s}]
endpoints:
  books:
    request: {path: /books, query: {from: "${window.from}", to: "${window.to}", page: "${page.number}"}}
    paging: {style: page, first_page: 1, size: 10}
    window: {by: updated, start: 2026-01-01, width: 1d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: {title: $.title}
)yaml";

class PlannerTest : public PlanningTest {
 protected:
  void SetUp() override { Define(kDefinition); }

  void Define(const std::string& text) {
    std::filesystem::create_directories(folder_.Path("sources"));
    std::ofstream(folder_.Path("sources/books.yaml")) << text;
  }

  Result<PlanReport> Plan(PlanRequest request) {
    request.sources_folder = folder_.Path("sources");
    return planner_.Run(request);
  }

  testing::TemporaryFolder folder_;
  infra::definitions::YamlFiles files_;
  infra::sqlite::Registry registry_{static_cast<testing::SqlitePorts&>(*ports_).store(), ids_};
  Planner planner_{PortsOf(*ports_, clock_, ids_), registry_, files_};
};

TEST_F(PlannerTest, ChangedDefinitionsGoIntoTheRegistryByThemselves) {
  const auto first = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->planned.kind, Kind::kCreated);
  EXPECT_FALSE(first->applied.empty());
  EXPECT_EQ(first->found_by, "ONLY_ENDPOINT");
  const auto second = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->applied.empty());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE json_extract(record_remarks, "
                  "'$.resolution.endpointBy') = 'ONLY_ENDPOINT'"),
            1);
}

TEST_F(PlannerTest, TheRegistrySufficesWhereThereAreNoFiles) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  std::filesystem::remove_all(folder_.Path("sources"));
  clock_.Advance(std::chrono::days(1));
  const auto planned = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->planned.kind, Kind::kCreated);
}

TEST_F(PlannerTest, AFailedCompileLeavesItsReasonOnTheTriggerAndNoPlan) {
  Define("source: books\nendpoints: {books: {paging: {style: wild}}}\n");
  const auto refused = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->problems.empty());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance WHERE record_remarks LIKE '%wild%'"),
            1);
}

TEST_F(PlannerTest, TimesMayBeRelative) {
  const auto planned = Plan({.source = {.target = "books"}, .from = "-2d", .to = "-1d"});
  ASSERT_TRUE(planned) << planned.error().Describe();
  ASSERT_TRUE(planned->planned.window);
  EXPECT_EQ(planned->planned.window->width(), std::chrono::hours(24));
  const auto wrong = Plan({.source = {.target = "books"}, .from = "yesterday"});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->problems.size(), 1u);
}

TEST_F(PlannerTest, AnOperationSaysWhatItNeeds) {
  const auto backfill = Plan({.source = {.target = "books", .operation = Operation::kBackfill}});
  ASSERT_TRUE(backfill);
  ASSERT_EQ(backfill->problems.size(), 1u);
  EXPECT_NE(backfill->problems[0].hint.find("--gaps"), std::string::npos);
  const auto update =
      Plan({.source = {.target = "books", .operation = Operation::kUpdate}, .signals = true});
  ASSERT_TRUE(update);
  ASSERT_EQ(update->problems.size(), 1u);
  EXPECT_NE(update->problems[0].hint.find("refresh"), std::string::npos);
}

TEST_F(PlannerTest, ADryRunWritesNothingNotEvenTheRegistry) {
  PlanRequest request{.source = {.target = "books"}};
  request.options.dry_run = true;
  const auto priced = Plan(request);
  ASSERT_TRUE(priced) << priced.error().Describe();
  EXPECT_EQ(priced->planned.kind, Kind::kPriced);
  for (const auto* table : {"reg_provenance", "ing_schedule_instance", "ing_plan", "ing_task"})
    EXPECT_EQ(Count(std::string("SELECT count(*) FROM ") + table), 0) << table;
}

// Seed 001 §9.2: a plan does not depend on what the registry says later.
TEST_F(PlannerTest, Dod001_9_2_AnEditedDefinitionChangesNothingForAPlanThatExists) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  clock_.Advance(std::chrono::seconds(1));
  auto edited = std::string(kDefinition);
  edited.replace(edited.find("$.title"), 7, "$.other");
  Define(edited);
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 0);
}

}  // namespace
}  // namespace patra::app
