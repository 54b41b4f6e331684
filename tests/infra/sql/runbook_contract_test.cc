// What every store says to the operators' questions.
#include "infra/sql/runbook.h"

#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::runbook_contract_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RunbookContract : public testing::LedgerTest {
 protected:
  // To the question that says this.
  app::StoreAnswer Ask(std::string_view about) {
    std::vector<app::StoreAnswer> answers;
    const auto asked = ports_->database().Read([&](infra::sql::Session& session) -> Result<void> {
      answers = PATRA_TRY(infra::sql::AskRunbook(session, clock_.Now()));
      return {};
    });
    EXPECT_TRUE(asked) << asked.error().Describe();
    for (auto& answer : answers) {
      if (answer.question.contains(about)) return std::move(answer);
    }
    ADD_FAILURE() << "nobody asks about " << about;
    return {};
  }
};

TEST_P(RunbookContract, AStoreThatIsAsTheMigrationsMakeItIsWell) {
  const auto made = Ask("made as others go by");
  EXPECT_FALSE(made.is_wrong);
  EXPECT_THAT(made.lines,
              ElementsAre("index uk_task_idem: there", "index idx_plan_fingerprint: there",
                          HasSubstr("ing_task.provenance_code")));
  const auto codes = Ask("dictionary");
  EXPECT_FALSE(codes.is_wrong);
  EXPECT_THAT(codes.lines, SizeIs(1));
}

TEST_P(RunbookContract, WhatIsMissingIsSaid) {
  ports_->Execute(
      "UPDATE sys_dict_item SET enabled = 0 WHERE type_id = (SELECT id FROM "
      "sys_dict_type WHERE type_code = 'ing_operation')");
  const auto codes = Ask("dictionary");
  EXPECT_TRUE(codes.is_wrong);
  EXPECT_THAT(codes.lines.at(1), HasSubstr("ing_operation"));
  ports_->Execute("UPDATE sys_dict_item SET enabled = 1");
}

TEST_P(RunbookContract, ALeaseThatHasRunOutIsNamedWithItsTask) {
  Planned(0, 1);
  const auto task = Claim(1, "worker-7").at(0);
  EXPECT_THAT(Ask("lease").lines, ElementsAre("none"));
  clock_.Advance(16s);
  EXPECT_THAT(Ask("lease").lines.at(0),
              AllOf(HasSubstr(fmt::to_string(task.lineage.task)), HasSubstr("worker-7")));
}

TEST_P(RunbookContract, TheBatchThatFailedLastIsNamedAsItIsAskedForAgain) {
  EXPECT_THAT(Ask("failed last").lines, ElementsAre(HasSubstr("none")));
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  domain::Evidence evidence{.sent = {.requests = 4, .failed = {3, 1, 0, 0}}};
  ASSERT_TRUE(ports_->runs().Close({.task = task,
                                    .lineage = run.lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "HTTP 400",
                                    .level = domain::ErrorLevel::kL2,
                                    .evidence = evidence}));
  const auto lines = Ask("failed last").lines;
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[0], HasSubstr("HTTP 400"));
  EXPECT_THAT(lines[1],
              HasSubstr(fmt::format("patra replay {}/{}", run.lineage.run, run.lineage.batch)));
  EXPECT_THAT(Ask("how much fails").lines.at(1), HasSubstr("4 of 4 (100.00 %); L1 3, L2 1"));
  clock_.Advance(25h);
  EXPECT_THAT(Ask("how much fails").lines.at(1), HasSubstr("page: 0; L1 0"));
}

TEST_P(RunbookContract, HowFarBehindEveryHarvestIs) {
  EXPECT_THAT(Ask("far behind").lines, ElementsAre(HasSubstr("nothing was harvested")));
  Planned(0, 1);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  const auto lines = Ask("far behind").lines;
  ASSERT_THAT(lines, SizeIs(1));
  const auto lag = clock_.Now() - (testing::kStart + 1h);
  EXPECT_THAT(lines[0], HasSubstr(fmt::format("demo/items: {} s", lag / 1s)));
}

RUN_ON_EVERY_LEDGER(RunbookContract);

}  // namespace patra::runbook_contract_test
