#include "app/plan/planner.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/random.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/registry.h"
#include "tests/app/plan/planning_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::app::planner_test {

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
  Planner planner_{PortsOf(*ports_, clock_, ids_), ports_->store().registry(), files_};
};

class ShutTransport final : public Transport {
 public:
  Result<HttpResponse> Send(const HttpRequest&) override {
    return Fail(ErrorCode::kInternal, "planning sends nothing");
  }
  Result<void> Check(const std::string& url) const override {
    return Fail(ErrorCode::kInvalidInput, url + " is no public address", {}, "allow it");
  }
};

TEST_F(PlannerTest, AnAddressThatMayNotBeAskedIsRefusedBeforeAnythingIsPlanned) {
  const ShutTransport transport;
  auto ports = PortsOf(*ports_, clock_, ids_);
  ports.transport = &transport;
  Planner planner(ports, ports_->store().registry(), files_);
  PlanRequest request{.source = {.target = "books"}, .sources_folder = folder_.Path("sources")};
  request.options.sends = true;
  const auto refused = planner.Run(request);
  ASSERT_TRUE(refused) << refused.error().Describe();
  ASSERT_EQ(refused->problems.size(), 1u);
  EXPECT_NE(refused->problems[0].Describe().find("allow it"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
  request.options.sends = false;
  EXPECT_TRUE(planner.Run(request)->problems.empty()) << "others may be allowed to";
}

TEST_F(PlannerTest, TheRestOfAPlanIsTakenAsRoomComesAndOnlyWhatGetsSlicesIsATrigger) {
  Planner planner(PortsOf(*ports_, clock_, ids_), ports_->store().registry(), files_,
                  {.open_tasks_max = 2});
  const PlanRequest request{.source = {.target = "books"},
                            .sources_folder = folder_.Path("sources"),
                            .from = "2026-01-01",
                            .to = "2026-01-04"};
  const auto first = planner.Run(request);
  ASSERT_TRUE(first) << first.error().Describe();
  ASSERT_TRUE(first->planned.is_partial);
  const auto plan = first->planned.plan;
  const auto triggers = [&] { return Count("SELECT count(*) FROM ing_schedule_instance"); };
  EXPECT_EQ(triggers(), 1);
  auto rest = planner.TakeRest(plan, request);
  ASSERT_TRUE(rest) << rest.error().Describe();
  EXPECT_EQ(rest->slices, 0) << "the queue is full";
  EXPECT_TRUE(rest->is_partial);
  EXPECT_EQ(triggers(), 1);
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "books", .reason = "night"}, {{"me"}, "night"}));
  EXPECT_EQ(planner.TakeRest(plan, request)->kind, Kind::kHeld);
  ASSERT_TRUE(ports_->holds().Resume("books", "*", {{"me"}, "morning"}));
  for (int round = 0; round < 10 && rest->is_partial; ++round) {
    WorkEverythingOff();
    rest = planner.TakeRest(plan, request);
    ASSERT_TRUE(rest);
  }
  EXPECT_FALSE(rest->is_partial);
  EXPECT_GT(triggers(), 1);
  WorkEverythingOff();
  EXPECT_EQ(ports_->plans().Find(plan)->value().status, domain::PlanStatus::kCompleted);
  EXPECT_EQ(planner.TakeRest(plan, request)->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(planner.TakeRest(17, request).error().code, ErrorCode::kNotFound);
}

TEST_F(PlannerTest, AWithdrawnPlanThatKnowsNoTimeIsNotProven) {
  EXPECT_TRUE(planner_.WhatIsUnproven({})->empty());
  const auto first = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(first);
  ASSERT_TRUE(ports_->plans().CancelPlan(first->planned.plan, {{"me"}, "a mistake"}));
  EXPECT_EQ(planner_.WhatIsUnproven({.plan = first->planned.plan})->slices, 1);
}

TEST_F(PlannerTest, WhatWasAskedForIsUnprovenUntilTheLedgerProvesIt) {
  const auto first = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(first) << first.error().Describe();
  const auto under_way = planner_.WhatIsUnproven(first->planned);
  ASSERT_TRUE(under_way);
  EXPECT_TRUE(under_way->is_under_way);
  const auto tasks = Claim(10);
  ASSERT_GT(tasks.size(), 1u);
  Finish(tasks[0], domain::TaskStatus::kFailed);
  for (std::size_t i = 1; i < tasks.size(); ++i) Finish(tasks[i]);
  const auto failed = planner_.WhatIsUnproven(first->planned);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->stretches, std::vector{tasks[0].window()});
  EXPECT_FALSE(failed->is_under_way);

  const auto second = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->planned.tried_again, 1);
  WorkEverythingOff();
  EXPECT_TRUE(planner_.WhatIsUnproven(second->planned)->empty());
}

// Below the watermark nothing is asked for any more: whoever asks for everything answers for it all the same.
TEST_F(PlannerTest, WhatIsNotProvenAnyMoreBelowTheWatermarkKeepsEveryHarvestFromBeingProven) {
  const PlanRequest everything{.source = {.target = "books"}};
  const auto first = Plan(everything);
  ASSERT_TRUE(first) << first.error().Describe();
  WorkEverythingOff();
  ASSERT_TRUE(planner_.WhatIsUnproven(first->planned)->empty());
  const auto& asked = *first->planned.answers_for;
  const auto lost = testing::Hours(24, 48);
  ASSERT_TRUE(ports_->database().Write([&](infra::sql::Session& session) {
    return infra::sql::coverage_table::TakeOut(session, asked.lane, asked.query_hash, lost,
                                               ids_.Next(), clock_.Now());
  }));

  clock_.Advance(std::chrono::hours(24));
  const auto second = Plan(everything);
  ASSERT_TRUE(second) << second.error().Describe();
  WorkEverythingOff();
  const auto unproven = planner_.WhatIsUnproven(second->planned);
  ASSERT_TRUE(unproven) << unproven.error().Describe();
  EXPECT_EQ(unproven->stretches, std::vector{lost});
  EXPECT_FALSE(unproven->is_under_way);

  const auto third = Plan(everything);
  EXPECT_EQ(planner_.WhatIsUnproven(third->planned)->stretches, std::vector{lost})
      << "also where nothing is due";
  const auto later = Plan({.source = {.target = "books"}, .from = "2026-01-03"});
  WorkEverythingOff();
  EXPECT_TRUE(planner_.WhatIsUnproven(later->planned)->empty()) << "asks for no more than that";

  const auto repair =
      Plan({.source = {.target = "books", .operation = Operation::kBackfill}, .gaps = true});
  ASSERT_TRUE(repair) << repair.error().Describe();
  WorkEverythingOff();
  EXPECT_TRUE(planner_.WhatIsUnproven(third->planned)->empty());
  EXPECT_TRUE(planner_.WhatIsUnproven(Plan(everything)->planned)->empty());
}

// Each version has its own page size, path and title; a mixture of them is nobody's definition.
TEST_F(PlannerTest, PlannersWithTwoVersionsAtOnceNeverPlanHalfADefinition) {
  constexpr int kRounds = 20;
  const auto version = [](const std::string& name) {
    std::string text = kDefinition;
    text.replace(text.find("size: 10"), 8, name == "one" ? "size: 11" : "size: 22");
    text.replace(text.find("path: /books"), 12, "path: /" + name);
    text.replace(text.find("title: $.title"), 14, "title: $." + name);
    return text;
  };
  SystemClock clock;
  std::vector<std::thread> planners;
  for (const std::string name : {"one", "two"}) {
    std::filesystem::create_directories(folder_.Path(name));
    std::ofstream(folder_.Path(name + "/books.yaml")) << version(name);
    planners.emplace_back([&, name] {
      const auto ports = backend_.Connect(clock);
      infra::definitions::YamlFiles files;
      Planner planner(PortsOf(*ports, clock, ports->ids()), ports->store().registry(), files);
      for (int i = 0; i < kRounds; ++i) {
        PlanRequest request{.source = {.target = "books"}, .sources_folder = folder_.Path(name)};
        request.from = "2026-01-01";
        request.to = "2026-01-02";
        request.options.again = true;
        const auto planned = planner.Run(request);
        EXPECT_TRUE(planned) << planned.error().Describe();
        EXPECT_TRUE(!planned || planned->problems.empty()) << planned->problems.front().Describe();
      }
    });
  }
  for (auto& planner : planners) planner.join();
  const auto plans_with = [&](const std::string& what) {
    return Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%" + what + "%'");
  };
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 2 * kRounds);
  for (const std::string name : {"one", "two"}) {
    const auto plans = plans_with("/" + name + "\"");
    EXPECT_EQ(plans_with("/" + name + "\"%$." + name + "\"") +
                  plans_with("$." + name + "\"%/" + name + "\""),
              plans);
    const auto size = name == "one" ? "\"pageSize\":11" : "\"pageSize\":22";
    EXPECT_EQ(plans_with(size), plans);
  }
}

// Passes everything on, and notes what planners ask for.
class WatchedRegistry final : public Registry {
 public:
  explicit WatchedRegistry(Registry& registry) : registry_(registry) {}
  Result<std::vector<RegistryChange>> Diff(const RegistryContent& content) override {
    return registry_.Diff(content);
  }
  Result<std::vector<RegistryChange>> Apply(const RegistryContent& content, Instant from) override {
    return registry_.Apply(content, from);
  }
  std::string Release() const override { return registry_.Release(); }
  Result<std::vector<RegistryChange>> Promote(Instant from) override {
    return registry_.Promote(from);
  }
  Result<std::vector<RegistryChange>> Drop(Instant from) override { return registry_.Drop(from); }
  Result<domain::CodeDictionary> Codes() override { return registry_.Codes(); }
  Result<std::vector<domain::QueryField>> Fields() override { return registry_.Fields(); }
  Result<std::vector<std::string>> Names(Instant at) override { return registry_.Names(at); }
  Result<std::vector<domain::DefinitionNode>> Export(Instant at) override {
    ++exports;
    return registry_.Export(at);
  }
  Result<std::optional<RegisteredSource>> Find(const std::string& source, Instant at,
                                               const std::string& known_version) override {
    auto found = registry_.Find(source, at, known_version);
    if (found && *found) read.push_back(source);
    return found;
  }

  int exports = 0;
  std::vector<std::string> read;

 private:
  Registry& registry_;
};

TEST_F(PlannerTest, ManyPlansReadTheirOwnSourceOnceAndNoOther) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  WatchedRegistry registry(ports_->store().registry());
  Planner planner(PortsOf(*ports_, clock_, ids_), registry, files_);
  const auto plan = [&] {
    PlanRequest request{.source = {.target = "books"}, .reads_registry = true};
    request.options.dry_run = true;
    const auto planned = planner.Run(request);
    EXPECT_TRUE(planned && planned->problems.empty());
  };
  for (int i = 0; i < 5; ++i) plan();
  EXPECT_EQ(registry.read, std::vector<std::string>{"books"});
  auto changed = registry.Export(clock_.Now())->front();
  changed.Set("name", domain::DefinitionNode::Text("Books"));
  registry.exports = 0;
  clock_.Advance(std::chrono::seconds(1));
  ASSERT_FALSE(registry.Apply({.definitions = {changed}}, clock_.Now())->empty());
  plan();
  EXPECT_EQ(registry.read, (std::vector<std::string>{"books", "books"})) << "it was applied";
  EXPECT_EQ(registry.exports, 0);
}

TEST_F(PlannerTest, ACodeThatTheDictionaryDoesNotAllowIsNotPlannedWith) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  const auto plan = [&](PlanRequest request) {
    Planner planner(PortsOf(*ports_, clock_, ids_), ports_->store().registry(), files_);
    request.source.target = "books";
    request.reads_registry = true;
    request.options.dry_run = true;
    const auto report = planner.Run(request);
    EXPECT_TRUE(report) << report.error().Describe();
    return report->problems.empty() ? "" : report->problems.front().Describe();
  };
  EXPECT_EQ(plan({}), "");
  EXPECT_EQ(plan({.options = {.origin = {.type = "COMET"}}}),
            "the dictionary has no ing_trigger_type 'COMET' (there are SCHEDULE, MANUAL, API, "
            "RETRY, HEAL)");
  EXPECT_NE(plan({.options = {.origin = {.scheduler = "CRON"}}}), "");
  ports_->Execute("UPDATE sys_dict_item SET enabled = 0 WHERE item_code = 'HARVEST'");
  EXPECT_NE(plan({}).find("ing_operation 'HARVEST' is disabled"), std::string::npos) << plan({});
  ports_->Execute("UPDATE sys_dict_item SET enabled = 1 WHERE item_code = 'HARVEST'");
  ports_->Execute("UPDATE sys_dict_item SET enabled = 0 WHERE item_code = 'PAGE'");
  EXPECT_NE(plan({}).find("pagination_mode 'PAGE' is disabled in the dictionary"),
            std::string::npos)
      << plan({});
}

TEST_F(PlannerTest, AnothersWordForACodeIsPlannedWithAsThatCode) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  ports_->Execute("UPDATE reg_prov_pagination_cfg SET pagination_mode_code = 'PAGE_NUMBER'");
  const PlanRequest request{.source = {.target = "books"}, .reads_registry = true};
  const auto report =
      Planner(PortsOf(*ports_, clock_, ids_), ports_->store().registry(), files_).Run(request);
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_TRUE(report->problems.empty()) << report->problems.front().Describe();
  EXPECT_EQ(report->planned.kind, Kind::kAlreadyPlanned) << "it is the same definition";
}

TEST_F(PlannerTest, ARetiredSourceIsNotPlannedAndADraftIsWhereSomebodyAsksForIt) {
  const auto define = [&](const std::string& lifecycle) {
    clock_.Advance(std::chrono::seconds(1));
    Define("lifecycle: " + lifecycle + std::string(kDefinition));
  };
  define("retired");
  const auto refused = Plan({.source = {.target = "books"}});
  ASSERT_TRUE(refused) << refused.error().Describe();
  ASSERT_EQ(refused->problems.size(), 1u);
  EXPECT_EQ(refused->problems.front().message, "'books' is retired");
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
  // Applied again it is still retired, whoever plans.
  EXPECT_TRUE(Plan({.source = {.target = "books"}})->applied.empty());
  EXPECT_FALSE(
      planner_.Run({.source = {.target = "books"}, .reads_registry = true})->problems.empty());
  define("draft");
  EXPECT_EQ(Plan({.source = {.target = "books"}})->planned.kind, Kind::kCreated);
  define("deprecated");
  const auto deprecated = Plan({.source = {.target = "books"}, .options = {.again = true}});
  EXPECT_EQ(deprecated->warnings.back(), "'books' is deprecated");
}

TEST_F(PlannerTest, WhoMistypesASourceHearsOfTheOthersInTheRegistry) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  const auto refused = planner_.Run({.source = {.target = "boks"}, .reads_registry = true});
  ASSERT_TRUE(refused) << refused.error().Describe();
  ASSERT_EQ(refused->problems.size(), 1u);
  EXPECT_EQ(refused->problems.front().hint, "did you mean 'books'?");
  const auto wish = planner_.Run(
      {.source = {.target = "books", .overrides = {"boks.cost=2"}}, .reads_registry = true});
  ASSERT_EQ(wish->problems.size(), 1u);
  EXPECT_EQ(wish->problems.front().hint, "did you mean 'books'?");
}

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
  EXPECT_NE(backfill->problems[0].hint.find("‹wish.gaps"), std::string::npos);
  const auto update =
      Plan({.source = {.target = "books", .operation = Operation::kUpdate}, .signals = true});
  ASSERT_TRUE(update);
  ASSERT_EQ(update->problems.size(), 1u);
  EXPECT_NE(update->problems[0].hint.find("refresh"), std::string::npos);
}

TEST_F(PlannerTest, WishesThatExcludeEachOtherAreRefused) {
  constexpr auto kHarvest = Operation::kHarvest;
  constexpr auto kBackfill = Operation::kBackfill;
  constexpr auto kUpdate = Operation::kUpdate;
  struct Case {
    Operation operation;
    PlanRequest request;
    const char* hint;
  };
  const std::vector<Case> cases{
      {kHarvest, {.from = "2026-01-03", .to = "2026-01-02"}, ""},
      {kHarvest, {.spread = "-1h"}, "‹wish.spread"},
      {kHarvest, {.spread = "400d"}, "‹wish.spread"},
      {kBackfill, {.from = "2026-01-03", .to = "2026-01-02"}, ""},
      {kBackfill, {.from = "2030-01-01", .to = "2031-01-01"}, "safety lag"},
      {kBackfill, {.from = "2026-01-02"}, "‹wish.gaps"},
      {kBackfill, {.gaps = true, .further = true}, "‹wish.gaps"},
      {kBackfill, {.from = "2026-01-01", .further = true}, "‹wish.until"},
      {kBackfill, {.gaps = true, .until = "2026-01-01"}, "‹wish.auto"},
      {kBackfill, {.gaps = true, .step = "1d"}, "‹wish.auto"},
      {kBackfill, {.further = true, .step = "-1d"}, "‹wish.step"},
      {kUpdate, {}, "‹wish.stale"},
      {kUpdate, {.ids = {"1"}, .stale = "30d"}, "one of"},
      {kUpdate, {.expr_changed = true, .signals = true}, "one of"},
      {kUpdate, {.parts = 3, .signals = true}, "‹wish.stale"},
      {kUpdate, {.stale = "-3d"}, "‹wish.stale"},
      {kUpdate, {.stale = ""}, "freshness"}};
  for (const auto& [operation, asked, hint] : cases) {
    auto request = asked;
    request.source = {.target = "books", .operation = operation};
    const auto refused = Plan(request);
    ASSERT_TRUE(refused) << refused.error().Describe();
    ASSERT_EQ(refused->problems.size(), 1u) << hint;
    EXPECT_NE(refused->problems[0].hint.find(hint), std::string::npos)
        << refused->problems[0].Describe();
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance WHERE record_remarks LIKE "
                  "'%errors%'"),
            static_cast<std::int64_t>(cases.size()))
      << "each trigger says why it led to nothing";
}

TEST_F(PlannerTest, AWindowInTheFutureIsNothingToDoYet) {
  const auto planned =
      Plan({.source = {.target = "books"}, .from = "2030-01-01", .to = "2030-02-01"});
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->planned.kind, Kind::kNothingDue);
  EXPECT_NE(planned->planned.reason.find("safety lag"), std::string::npos);
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

// A plan does not depend on what the registry says later.
TEST_F(PlannerTest, AnEditedDefinitionChangesNothingForAPlanThatBroughtSomething) {
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  Finish(Claim(1)[0]);
  clock_.Advance(std::chrono::seconds(1));
  auto edited = std::string(kDefinition);
  edited.replace(edited.find("$.title"), 7, "$.other");
  Define(edited);
  ASSERT_TRUE(Plan({.source = {.target = "books"}}));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 0);
}

}  // namespace patra::app::planner_test
