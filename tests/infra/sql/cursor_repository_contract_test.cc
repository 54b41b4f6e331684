// What every cursor repository must do.
#include <thread>

#include "base/random.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::cursor_repository_contract_test {

using namespace std::chrono_literals;
using testing::kHour;
using testing::kStart;

class CursorRepositoryContract : public testing::LedgerTest {
 protected:
  domain::CursorMove To(domain::CursorValue value, const std::string& name = "a",
                        domain::CursorDirection direction = domain::CursorDirection::kForward) {
    return {.lane = {"demo", "items", domain::Operation::kUpdate},
            .cursor = {.scope = "CUSTOM", .key = name, .cursor_key = "position"},
            .direction = direction,
            .to = value};
  }

  std::optional<domain::CursorValue> Current(const domain::CursorMove& move) {
    return *ports_->cursors().Current(move.lane, move.cursor);
  }
};
RUN_ON_EVERY_LEDGER(CursorRepositoryContract);

TEST_P(CursorRepositoryContract, GoesForwardAndNeverBack) {
  EXPECT_EQ(ports_->cursors().Advance(To(kStart + kHour)), true);
  EXPECT_EQ(ports_->cursors().Advance(To(kStart)), false);
  EXPECT_EQ(ports_->cursors().Advance(To(kStart + kHour)), false) << "equal is not forward";
  EXPECT_EQ(Current(To(kStart)), domain::CursorValue(kStart + kHour));
}

TEST_P(CursorRepositoryContract, InABackfillForwardIsEarlier) {
  const auto past = [&](int hours) {
    return To(kStart - hours * kHour, "b", domain::CursorDirection::kBackfill);
  };
  EXPECT_EQ(ports_->cursors().Advance(past(1)), true);
  EXPECT_EQ(ports_->cursors().Advance(past(3)), true);
  EXPECT_EQ(ports_->cursors().Advance(past(2)), false);
  EXPECT_EQ(Current(past(0)), domain::CursorValue(kStart - 3 * kHour));
}

TEST_P(CursorRepositoryContract, IdsAreComparedAsNumbers) {
  EXPECT_EQ(ports_->cursors().Advance(To(std::int64_t{9})), true);
  EXPECT_EQ(ports_->cursors().Advance(To(std::int64_t{10})), true);
  EXPECT_EQ(Current(To(std::int64_t{0})), domain::CursorValue(std::int64_t{10}));
}

TEST_P(CursorRepositoryContract, ATimeNeverReplacesAnId) {
  EXPECT_EQ(ports_->cursors().Advance(To(std::int64_t{9})), true);
  EXPECT_EQ(ports_->cursors().Advance(To(kStart)), false);
}

TEST_P(CursorRepositoryContract, AStepSaysWhatMadeItAndADecisionWhoAndWhy) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Advance(move));
  ASSERT_TRUE(
      ports_->cursors().Set(move.lane, move.cursor, kStart - kHour, {{"anna"}, "read again"}));
  auto& ledger = ports_->read().ledger();
  const auto cursor = ledger.Cursors({})->at(0);
  const auto events = *ledger.EventsOf(cursor, contract::kAlways, 10);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].remarks, R"({"by":"anna","reason":"MANUAL","why":"read again"})");
  EXPECT_EQ(events[1].remarks, R"({"reason":"UPDATE"})");
}

TEST_P(CursorRepositoryContract, NamespacesDoNotTouchEachOther) {
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + 5 * kHour, "a")));
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart, "b")));
  EXPECT_EQ(Current(To(kStart, "a")), domain::CursorValue(kStart + 5 * kHour));
  EXPECT_EQ(Current(To(kStart, "b")), domain::CursorValue(kStart));
}

TEST_P(CursorRepositoryContract, EveryStepHasOneEventAlsoWhenItIsRepeatedOrTooLate) {
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + kHour)));
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + kHour)));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 1);
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart)));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 2)
      << "what was confirmed is recorded";
}

TEST_P(CursorRepositoryContract, SettlingBringsALaggingValueToItsFurthestEvent) {
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{5})));
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{8})));
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{7})));
  ports_->Execute("UPDATE ing_cursor SET normalized_numeric = 5, cursor_value = '5'");
  const auto move = To(std::int64_t{0});
  ASSERT_TRUE(ports_->cursors().Settle(move.lane, move.cursor));
  EXPECT_EQ(Current(move), domain::CursorValue(std::int64_t{8}));
}

TEST_P(CursorRepositoryContract, APersonMaySetItAnywhereAndIsAudited) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + 5 * kHour)));
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, kStart, {{"me"}, "again"}));
  EXPECT_EQ(Current(move), domain::CursorValue(kStart));
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, kStart + 9 * kHour, {{"me"}, "on"}));
  EXPECT_EQ(Current(move), domain::CursorValue(kStart + 9 * kHour));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'SET_CURSOR'"), 2);
  const auto cursor = ports_->read().ledger().Cursors({.operation = "UPDATE"})->at(0);
  EXPECT_EQ(ports_->read().ledger().Decisions("CURSOR", cursor.Name(), 10)->size(), 2u);
}

TEST_P(CursorRepositoryContract, TheSameDecisionTwiceIsTwoEvents) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, kStart, {{"me"}, "one"}));
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, kStart, {{"me"}, "two"}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event WHERE direction_code = 'MANUAL'"),
            2);
}

TEST_P(CursorRepositoryContract, SettlingRespectsADecisionAndWhatCameAfterIt) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + 5 * kHour)));
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, kStart, {{"me"}, "again"}));
  ASSERT_TRUE(ports_->cursors().Settle(move.lane, move.cursor));
  EXPECT_EQ(Current(move), domain::CursorValue(kStart)) << "older events count no more";
  ASSERT_TRUE(ports_->cursors().Advance(To(kStart + 2 * kHour)));
  ASSERT_TRUE(ports_->cursors().Settle(move.lane, move.cursor));
  EXPECT_EQ(Current(move), domain::CursorValue(kStart + 2 * kHour));
}

TEST_P(CursorRepositoryContract, ADecisionWhoseValueACrashLeftBehindIsSettled) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{5})));
  ASSERT_TRUE(ports_->cursors().Set(move.lane, move.cursor, std::int64_t{2}, {{"me"}, "r"}));
  ports_->Execute("UPDATE ing_cursor SET normalized_numeric = 5, cursor_value = '5'");
  ASSERT_TRUE(ports_->cursors().Settle(move.lane, move.cursor));
  EXPECT_EQ(Current(move), domain::CursorValue(std::int64_t{2}));
}

TEST_P(CursorRepositoryContract, APersonCannotChangeItsType) {
  const auto move = To(kStart);
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{5})));
  const auto refused = ports_->cursors().Set(move.lane, move.cursor, kStart, {{"me"}, "r"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 1);
}

TEST_P(CursorRepositoryContract, AWatermarkThatAPersonPutsBackTakesTheProofAfterItAlong) {
  const auto plan = Planned(0, 4);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Finish(Claim(1).at(0)));
  const auto other = Planned(0, 4, "other");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(Finish(Claim(1).at(0)));
  ASSERT_EQ(Watermark(plan), kStart + 4 * kHour);
  const auto gaps = [&](const domain::Plan& of) {
    return ports_->cursors()
        .CoverageIn(of.lane, of.query_hash, testing::Hours(0, 4))
        ->GapsIn(testing::Hours(0, 4));
  };
  ASSERT_TRUE(ports_->cursors().Set(plan.lane, plan.cursor, kStart + 6 * kHour, {{"me"}, "on"}));
  EXPECT_TRUE(gaps(plan).empty()) << "what is proven stays proven where it goes on";
  ASSERT_TRUE(
      ports_->cursors().Set(plan.lane, plan.cursor, kStart + 90min, {{"me"}, "it was ahead"}));
  EXPECT_EQ(gaps(plan), std::vector{*domain::Window::Between(kStart + 90min, kStart + 4 * kHour)});
  EXPECT_TRUE(gaps(other).empty());
}

TEST_P(CursorRepositoryContract, ARefusedMoveLeavesBothValuesAndTheReason) {
  ASSERT_TRUE(ports_->cursors().Advance(To(std::int64_t{9})));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ports_->cursors().Advance(To(std::int64_t{4})), false);
  EXPECT_EQ(ports_->cursors().Advance(To(std::int64_t{9})), false);
  EXPECT_EQ(ports_->cursors().Advance(To(kStart)), false);
  const auto cursor = ports_->read().ledger().Cursors({.operation = "UPDATE"})->at(0);
  const auto events = ports_->read().ledger().EventsOf(cursor, contract::kAlways, 100);
  ASSERT_TRUE(events) << events.error().Describe();
  std::vector<std::string> refused;
  for (const auto& event : *events) {
    if (event.refused)
      refused.push_back(event.before.value_or("") + " " + event.after + " " + *event.refused);
  }
  EXPECT_EQ(refused, (std::vector<std::string>{
                         "9 2026-01-01T00:00:00Z the cursor holds values of another type",
                         "9 4 the cursor only goes forward"}))
      << "once each; being there already is no refusal";
}

TEST_P(CursorRepositoryContract, AHeldCursorSaysSo) {
  const auto plan = Planned(0, 2);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  ASSERT_TRUE(ports_->adjustments().Put({.provenance = "demo",
                                         .endpoint = "items",
                                         .kind = app::AdjustmentKind::kCursorHold,
                                         .value = 1,
                                         .reason = "half of the records are bad",
                                         .made_by = std::string(app::kHealActor)}));
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  const auto cursor = ports_->read().ledger().Cursors({.operation = "HARVEST"})->at(0);
  const auto events = ports_->read().ledger().EventsOf(cursor, contract::kAlways, 1);
  ASSERT_EQ(events->size(), 1u);
  EXPECT_EQ(events->at(0).refused, "the cursor is held: half of the records are bad");
  EXPECT_EQ(events->at(0).before, FormatRfc3339(kStart + kHour));
  EXPECT_EQ(events->at(0).after, FormatRfc3339(kStart + 2 * kHour));
}

TEST_P(CursorRepositoryContract, ManyAtOnceEndAtTheFurthest) {
  const auto other = backend_->Connect(clock_);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        SeededRandom random(static_cast<std::uint64_t>(t));
        auto& cursors = t % 2 == 0 ? ports_->cursors() : other->cursors();
        for (int i = 0; i < 25; ++i) EXPECT_TRUE(cursors.Advance(To(random.Between(0, 1000))));
        EXPECT_TRUE(cursors.Advance(To(std::int64_t{2000 + t})));
      });
    }
  }
  EXPECT_EQ(Current(To(std::int64_t{0})), domain::CursorValue(std::int64_t{2003}));
}

}  // namespace patra::cursor_repository_contract_test
