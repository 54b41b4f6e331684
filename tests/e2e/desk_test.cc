// What can be asked of a store by hand, with a real one.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boot/open_desk.h"
#include "boot/open_engine.h"
#include "boot/open_store.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::desk_test {

using ::testing::HasSubstr;

class DeskOfAStore : public ::testing::Test {
 protected:
  DeskOfAStore() {
    const auto desk = boot::OpenDesk({.database = database_,
                                      .sources_folder = PATRA_SOURCE_DIR "/sources",
                                      .changes = true,
                                      .makes = true});
    EXPECT_TRUE(desk) << desk.error().Describe();
    desk_ = *desk;
  }

  void Change(const std::string& statement) {
    const auto store =
        boot::OpenStore(*boot::StoreAddress::Parse(database_), boot::StoreUse::kChange, clock_);
    ASSERT_TRUE(store) << store.error().Describe();
    const auto changed = testing::DatabaseOf(**store).Write(
        [&](infra::sql::Session& session) { return session.Execute(statement); });
    ASSERT_TRUE(changed) << changed.error().Describe();
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  const std::string database_ = stores_.At(folder_.Path("patra.db"));
  SystemClock clock_;
  const domain::Actor anna_{.name = "anna"};
  std::shared_ptr<app::Desk> desk_;
};

TEST_F(DeskOfAStore, AnExportedNameThatLeadsOutOfAFolderIsRefused) {
  ASSERT_TRUE(desk_->registry_moves().Apply({}));
  ASSERT_TRUE(desk_->registry_moves().Export({}));
  Change(
      "UPDATE reg_provenance SET provenance_code = '../escaped' WHERE provenance_code = "
      "'sim-rest'");
  const auto exported = desk_->registry_moves().Export({});
  ASSERT_FALSE(exported);
  EXPECT_THAT(exported.error().message, HasSubstr("'..' is not a name"));
}

TEST_F(DeskOfAStore, QuarantineIsNeverDecidedAboutEverythingOrAboutNothing) {
  auto& quarantine = desk_->quarantine();
  for (const auto& request : {app::QuarantineRequest{}, app::QuarantineRequest{.all = true},
                              app::QuarantineRequest{.ids = {1, 2}, .fields = "{}"},
                              app::QuarantineRequest{.ids = {1}, .all = true}}) {
    const auto decided = quarantine.Decide(request, anna_);
    ASSERT_FALSE(decided);
    EXPECT_EQ(decided.error().code, ErrorCode::kInvalidInput);
  }
  EXPECT_TRUE(quarantine.Decide({.all = true, .filter = {.rule = "required"}}, anna_)->empty());
}

TEST_F(DeskOfAStore, WhoDecidedAndByWhichWayIsAudited) {
  ASSERT_TRUE(desk_->holds().Pause({.target = "sim-rest/items", .reason = "moving house"},
                                   {.name = "anna", .way = domain::Way::kCommandLine}));
  const auto decisions = desk_->read().ledger().Decisions("SOURCE", "sim-rest/items", 10);
  ASSERT_TRUE(decisions) << decisions.error().Describe();
  ASSERT_EQ(decisions->size(), 1u);
  EXPECT_EQ(decisions->front().actor, "anna");
  EXPECT_EQ(decisions->front().way, "COMMAND_LINE");
}

TEST_F(DeskOfAStore, ASecretThatWasNeverUsedIsMaskedInWhatPeopleWrite) {
  const std::string secret = "never-used-key-0123";
  setenv("PATRA_ODD_KEY", secret.c_str(), 1);       // NOLINT(concurrency-mt-unsafe): no thread
  setenv("PATRA_ODD_PASSWORD", "pass word 17", 1);  // NOLINT(concurrency-mt-unsafe): no thread
  setenv("PATRA_ODD_USER", "anna", 1);              // NOLINT(concurrency-mt-unsafe): no thread
  std::filesystem::create_directory(folder_.Path("sources"));
  std::ofstream(folder_.Path("sources/odd.yaml")) << R"yaml(
source: odd
auth: {type: api_key, name: key, keys: ["${env:PATRA_ODD_KEY}", "${env:PATRA_NOT_SET}"]}
endpoints:
  other: {auth: {type: basic, username: "${env:PATRA_ODD_USER}", password: "${env:PATRA_ODD_PASSWORD}"}}
)yaml";
  const auto desk = boot::OpenDesk({.database = database_,
                                    .sources_folder = folder_.Path("sources"),
                                    .changes = true,
                                    .makes = true});
  ASSERT_TRUE(desk) << desk.error().Describe();
  const auto reason =
      "anna gave me " + secret + " (before: pass%20word%2017), ask anna@example.org";
  ASSERT_TRUE((*desk)->alerts().Silence({.pattern = "gate/*", .reason = reason}, anna_));
  ASSERT_TRUE((*desk)->tokens().Create({.name = "t", .reason = reason}, anna_));
  const auto audit = (*desk)->read().ledger().Audit(0, 10);
  ASSERT_TRUE(audit) << audit.error().Describe();
  ASSERT_EQ(audit->size(), 2u);
  for (const auto& entry : *audit)
    EXPECT_EQ(entry.decision.reason, "anna gave me *** (before: ***), ask anna@example.org");
  for (const auto* name : {"PATRA_ODD_KEY", "PATRA_ODD_PASSWORD", "PATRA_ODD_USER"})
    unsetenv(name);  // NOLINT(concurrency-mt-unsafe): no thread
}

TEST_F(DeskOfAStore, AnEndpointWithoutAWatermarkHasNoneToSet) {
  const auto set = desk_->corrections().SetCursor("sim-rest/items", "2026-01-01", "why", anna_);
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, HasSubstr("has no watermark yet"));
}

TEST_F(DeskOfAStore, WhoLooksMakesNoStore) {
  const auto missing = boot::OpenDesk({.database = "sqlite:" + folder_.Path("other.db")});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto engine =
      boot::OpenEngine({.database = "sqlite:" + folder_.Path("other.db"), .looks = true});
  ASSERT_TRUE(engine) << engine.error().Describe();
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("other.db")));
}

TEST_F(DeskOfAStore, ATokenIsToldOnceAndLetsItsHolderInUntilItIsRevoked) {
  auto& tokens = desk_->tokens();
  const auto made = tokens.Create(
      {.name = "dashboard", .access = domain::Access::kOperator, .lasts = "90d", .reason = "r"},
      anna_);
  ASSERT_TRUE(made) << made.error().Describe();
  EXPECT_EQ(made->token.size(), std::string("patra_").size() + 64);
  EXPECT_EQ(
      testing::CountIn(
          database_, "SELECT count(*) FROM ing_api_token WHERE token_hash LIKE '%patra_%'", clock_),
      0);
  const auto holder = *tokens.HolderOf(made->token);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->name, "dashboard");
  EXPECT_EQ(holder->access, domain::Access::kOperator);
  auto other = made->token;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const auto& unknown : {other, std::string("patra_"), std::string(), made->token + "0"})
    EXPECT_FALSE(*tokens.HolderOf(unknown)) << unknown;
  EXPECT_EQ(tokens.Create({.name = "dashboard"}, anna_).error().code, ErrorCode::kConflict);
  EXPECT_EQ(tokens.List()->at(0).access, domain::Access::kOperator);

  ASSERT_TRUE(tokens.Revoke("dashboard", "seen in a log", anna_));
  EXPECT_FALSE(*tokens.HolderOf(made->token));
  EXPECT_EQ(tokens.Revoke("dashboard", "again", anna_).error().code, ErrorCode::kNotFound);
  const auto decisions = desk_->read().ledger().Decisions("TOKEN", "dashboard", 10);
  ASSERT_EQ(decisions->size(), 2u);
  EXPECT_EQ(decisions->front().reason, "seen in a log");
}

TEST_F(DeskOfAStore, TokensHaveNamesThatCanBeTypedAndEndWhenTheyShould) {
  auto& tokens = desk_->tokens();
  for (const std::string name : {"", "a b", "a/b", "ä", "a\nb"})
    EXPECT_EQ(tokens.Create({.name = name}, anna_).error().code, ErrorCode::kInvalidInput) << name;
  for (const std::string lasts : {"0s", "-1d", "soon"})
    EXPECT_FALSE(tokens.Create({.name = "x", .lasts = lasts}, anna_)) << lasts;
  const auto brief = *tokens.Create({.name = "brief", .lasts = "1ms"}, anna_);
  clock_.SleepFor(std::chrono::milliseconds(5));
  EXPECT_FALSE(*tokens.HolderOf(brief.token));
}

TEST_F(DeskOfAStore, ARequestUnderOneKeyIsDoneOnceForEachCaller) {
  auto& kept = desk_->kept_answers();
  const app::RepeatableRequest request{.caller = "anna", .key = "k", .text = "POST /x"};
  EXPECT_FALSE(kept.Begin(request)->before);
  EXPECT_EQ(kept.Begin(request).error().code, ErrorCode::kConflict);
  EXPECT_EQ(kept.Begin({.caller = "anna", .key = "k", .text = "POST /y"}).error().code,
            ErrorCode::kInvalidInput);
  EXPECT_FALSE(kept.Begin({.caller = "bert", .key = "k", .text = "POST /y"})->before);
  ASSERT_TRUE(kept.Finish(request, {.status = 201, .body = "{}"}));
  EXPECT_EQ(kept.Begin(request)->before->status, 201);
  ASSERT_TRUE(kept.Forget(request));
  EXPECT_FALSE(kept.Begin(request)->before);
  EXPECT_EQ(kept.Begin({.caller = "anna", .key = ""}).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(kept.Begin({.caller = "anna", .key = std::string(201, 'k')}).error().code,
            ErrorCode::kInvalidInput);
}

TEST_F(DeskOfAStore, ARequestWhoseProcessDiedIsBegunAnewAfterABoundAndOneThatLivesIsNot) {
  const app::RepeatableRequest dead{.caller = "anna", .key = "dead", .text = "POST /x"};
  const app::RepeatableRequest alive{.caller = "anna", .key = "alive", .text = "POST /x"};
  EXPECT_FALSE(desk_->kept_answers().Begin(dead)->before);
  // Another process: its desk knows nothing of what this one has under way.
  const auto other = boot::OpenDesk({.database = database_,
                                     .sources_folder = PATRA_SOURCE_DIR "/sources",
                                     .changes = true,
                                     .makes = true});
  ASSERT_TRUE(other) << other.error().Describe();
  EXPECT_FALSE((*other)->kept_answers().Begin(alive)->before);
  EXPECT_EQ((*other)->kept_answers().Begin(dead).error().code, ErrorCode::kConflict);

  const auto long_ago = (clock_.Now() - app::kUnderWayFor).time_since_epoch().count();
  Change("UPDATE ing_api_answer SET leased_until = " + std::to_string(long_ago));
  ASSERT_TRUE((*other)->kept_answers().KeepAlive());
  EXPECT_EQ(desk_->kept_answers().Begin(alive).error().code, ErrorCode::kConflict);
  EXPECT_EQ(desk_->kept_answers().Begin(dead).error().code, ErrorCode::kConflict)
      << "its own process is at it still";
  const auto begun = (*other)->kept_answers().Begin(dead);
  ASSERT_TRUE(begun) << begun.error().Describe();
  EXPECT_FALSE(begun->before);
  EXPECT_TRUE(begun->is_taken_over);
  ASSERT_TRUE((*other)->kept_answers().Finish(dead, {.status = 200, .body = "[1]"}));
  // The one before was not dead after all; its answer comes too late.
  ASSERT_TRUE(desk_->kept_answers().Finish(dead, {.status = 201, .body = "[2]"}));
  EXPECT_EQ(desk_->kept_answers().Begin(dead)->before->body, "[1]");
}

}  // namespace patra::desk_test
