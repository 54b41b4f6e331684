// Replays with a store that holds one batch and a provider made of a function.
#include "app/replay/replay_batch.h"

#include <gmock/gmock.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/plan/plan.h"
#include "tests/app/send/send_fixture.h"

namespace patra::replay_batch_test {

using app::RecordDifference;
using app::ReplayMode;
using app::ReplayVerdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = RecordDifference::Kind;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};

class OneBatch final : public app::ReplayStore {
 public:
  Result<app::RecordedBatch> Read(Id, Id) override { return batch; }
  Result<std::vector<std::optional<domain::StoredItem>>> Stored(
      const domain::Lane&, std::span<const std::string> ids) override {
    std::vector<std::optional<domain::StoredItem>> found;
    for (const auto& id : ids) {
      const auto record = records.find(id);
      found.push_back(record == records.end() ? std::nullopt : std::optional(record->second));
    }
    return found;
  }
  Result<std::int64_t> Isolate(const app::Isolation& isolation) override {
    isolated = isolation.records;
    isolated_at = isolation.fetched_at;
    return std::ssize(isolated);
  }
  Result<app::ReplayCommitted> Commit(const app::ReplayCommit& commit) override {
    committed = commit.records;
    return app::ReplayCommitted{.run = 99};
  }

  app::RecordedBatch batch{
      .task = {.plan_window = *domain::Window::Between(kDay, kDay + std::chrono::days(1)),
               .slice = {.window = *domain::Window::Between(kDay, kDay + std::chrono::days(1))}}};
  std::map<std::string, domain::StoredItem> records;
  std::vector<domain::BadRecord> isolated;
  Instant isolated_at;
  std::vector<domain::Record> committed;
};

class ReplayBatchTest : public testing::SenderTest {
 protected:
  ReplayBatchTest() {
    spec_.http.path = "/items";
    spec_.http.query = {{"page", "${page.number}"}};
    spec_.paging = {.style = domain::PagingStyle::kPage, .size = 2, .first_page = 1};
    spec_.response = {.items = "$.items", .id = {"$.id"}, .updated = "$.at"};
    spec_.fields = {{.name = "title", .path = "$.title", .required = true}};
    store_.batch.before = app::Position{.page = 3};
    store_.batch.committed_at = kDay + std::chrono::days(2);
    store_.batch.counts.received = 2;
    Answer(kPage);
    Store("a", "A", 5);
    Store("b", "B", 6);
    store_.batch.raw_page = app::RawPage{"application/json", kPage, kDay + std::chrono::days(2)};
  }

  void Answer(const std::string& body, int status = 200) {
    transport_.script = [=, this](const app::HttpRequest&) {
      return app::HttpResponse{.status = status,
                               .content_type = "application/json",
                               .body = body,
                               .received_at = clock_.Now()};
    };
  }

  void Store(const std::string& id, const std::string& title, int hour) {
    domain::StoredItem stored{.fields = "{\"title\":\"" + title + "\"}"};
    stored.version.updated_at = kDay + std::chrono::hours(hour);
    store_.records[id] = stored;
  }

  Result<app::ReplayReport> Replay(ReplayMode mode = ReplayMode::kReport, bool from_raw = false) {
    store_.batch.task.lane = {"demo", "items", domain::Operation::kHarvest};
    store_.batch.task.plan_snapshot = CanonicalJson(spec_.ToValue());
    if (writes_hashes_) WriteHashes();
    return app::ReplayBatch(store_, sender_, sources_, clock_, log_, stop_)
        .Run({.run = 1, .batch = 2, .mode = mode, .from_raw = from_raw});
  }

  // As whoever made plan and slice has written them down.
  void WriteHashes() {
    auto& batch = store_.batch;
    batch.fingerprint = Sha256Hex(batch.task.plan_snapshot);
    batch.expression = R"({"values":{}})";
    batch.expr_hash = Sha256Hex(batch.expression);
    batch.signature = domain::SliceSignature(batch.task.lane, batch.expr_hash, batch.task.slice);
  }

  app::ReplayReport Report(ReplayMode mode = ReplayMode::kReport, bool from_raw = false) {
    auto report = Replay(mode, from_raw);
    EXPECT_TRUE(report) << report.error().Describe();
    return report ? *std::move(report) : app::ReplayReport{};
  }

  static constexpr const char* kPage =
      R"({"items":[{"id":"a","at":"2025-12-01T05:00:00Z","title":"A"},)"
      R"({"id":"b","at":"2025-12-01T06:00:00Z","title":"B"}]})";
  static constexpr const char* kNewer =
      R"({"items":[{"id":"a","at":"2025-12-01T05:00:00Z","title":"A"},)"
      R"({"id":"b","at":"2025-12-01T07:00:00Z","title":"B2"}]})";
  static constexpr const char* kSecretly =
      R"({"items":[{"id":"a","at":"2025-12-01T05:00:00Z","title":"A"},)"
      R"({"id":"b","at":"2025-12-01T06:00:00Z","title":"B2"}]})";
  static constexpr const char* kShort =
      R"({"items":[{"id":"a","at":"2025-12-01T05:00:00Z","title":"A"}]})";
  static constexpr const char* kBad =
      R"({"items":[{"id":"a","at":"2025-12-01T05:00:00Z","title":"A"},)"
      R"({"id":"b","at":"2025-12-01T06:00:00Z"}]})";

  OneBatch store_;
  bool writes_hashes_ = true;
  app::CompiledSources sources_;
  app::StopRequest stop_;
};

TEST_F(ReplayBatchTest, AsksForThePageOfTheBatchAndAgrees) {
  const auto report = Report();
  ASSERT_EQ(transport_.requests.size(), 1u);
  EXPECT_THAT(transport_.requests[0].url, HasSubstr("/items?page=3"));
  EXPECT_EQ(report.verdict, ReplayVerdict::kAgrees) << report.reason;
  EXPECT_EQ(report.same, 2);
  EXPECT_TRUE(report.is_same_body());
}

TEST_F(ReplayBatchTest, ShowsWhatTheBatchWasMadeOf) {
  const auto report = Report();
  ASSERT_EQ(report.hashes.size(), 3u);
  EXPECT_EQ(report.hashes[0].of, "fingerprint");
  EXPECT_EQ(report.hashes[0].recorded, Sha256Hex(store_.batch.task.plan_snapshot));
  for (const auto& hash : report.hashes) EXPECT_TRUE(hash.is_same()) << hash.of;
}

TEST_F(ReplayBatchTest, AsksForNothingWhereTheAccountIsNotWhatItWasWhenTheBatchWasAskedFor) {
  Report();
  writes_hashes_ = false;
  const auto whole = store_.batch;
  const auto refused_over = [&](std::string_view of, const auto& damage) {
    store_.batch = whole;
    damage(store_.batch);
    transport_.requests.clear();
    for (const bool from_raw : {false, true}) {
      const auto report = Replay(ReplayMode::kCommit, from_raw);
      ASSERT_FALSE(report) << of;
      EXPECT_EQ(report.error().code, ErrorCode::kCorruption);
      EXPECT_THAT(report.error().message, HasSubstr(of));
    }
    EXPECT_TRUE(transport_.requests.empty());
    EXPECT_TRUE(store_.committed.empty());
  };
  spec_.http.path = "/others";
  refused_over("fingerprint", [](auto&) {});
  spec_.http.path = "/items";
  refused_over("exprHash", [](auto& batch) { batch.expression = R"({"values":{"query":"x"}})"; });
  refused_over("signature", [](auto& batch) {
    batch.task.slice.window = *domain::Window::Between(kDay, kDay + std::chrono::hours(1));
  });
}

TEST_F(ReplayBatchTest, OtherBytesWithTheSameRecordsAgree) {
  Answer(std::string(kPage) + " ");
  const auto report = Report();
  EXPECT_EQ(report.verdict, ReplayVerdict::kAgrees);
  EXPECT_THAT(report.reason, HasSubstr("other bytes"));
}

TEST_F(ReplayBatchTest, ARecordThatWasUpdatedSinceIsTheProvidersDoing) {
  Answer(kNewer);
  const auto report = Report();
  EXPECT_EQ(report.verdict, ReplayVerdict::kChangedSince);
  ASSERT_EQ(report.differences.size(), 1u);
  EXPECT_EQ(report.differences[0].id, "b");
  EXPECT_THAT(report.differences[0].fields, ElementsAre("title"));
}

TEST_F(ReplayBatchTest, ARecordThatChangedWithoutAnUpdateDiffers) {
  Answer(kSecretly);
  EXPECT_EQ(Report().verdict, ReplayVerdict::kDiffers);
}

TEST_F(ReplayBatchTest, ARecordThatIsGoneDiffersUnlessItIsKnownToHaveMovedOn) {
  Answer(kShort);
  auto report = Report();
  EXPECT_EQ(report.Count(Kind::kGone), 1);
  EXPECT_EQ(report.verdict, ReplayVerdict::kDiffers);
  Store("b", "B2", 30);
  EXPECT_EQ(Report().verdict, ReplayVerdict::kChangedSince);
}

TEST_F(ReplayBatchTest, ARecordThatTheBatchShouldHaveBroughtDiffers) {
  store_.records.erase("b");
  const auto report = Report();
  EXPECT_EQ(report.Count(Kind::kNew), 1);
  EXPECT_EQ(report.verdict, ReplayVerdict::kDiffers);
}

TEST_F(ReplayBatchTest, ABadRecordThatWasBadThenIsNoDifference) {
  Answer(kBad);
  store_.batch.raw_page.reset();
  EXPECT_EQ(Report().verdict, ReplayVerdict::kDiffers);
  store_.batch.counts.quarantined = 1;
  EXPECT_EQ(Report().verdict, ReplayVerdict::kAgrees);
}

TEST_F(ReplayBatchTest, ReadsTheVaultWithoutAskingAnybody) {
  Answer("", 500);
  Store("b", "B9", 30);
  const auto report = Report(ReplayMode::kReport, true);
  EXPECT_THAT(transport_.requests, IsEmpty());
  EXPECT_EQ(report.verdict, ReplayVerdict::kAgrees) << report.reason;
  EXPECT_EQ(report.superseded, 1);
  EXPECT_EQ(report.got.fetched_at, store_.batch.raw_page->fetched_at);
  store_.batch.raw_page.reset();
  EXPECT_EQ(Replay(ReplayMode::kReport, true).error().code, ErrorCode::kNotFound);
}

TEST_F(ReplayBatchTest, ReadsEveryPartOfAPageThatWasTakenApart) {
  store_.batch.raw_page->content_type = "multipart/mixed; boundary=part-x";
  store_.batch.raw_page->body =
      "--part-x\r\nContent-Type: application/json\r\n\r\n" + std::string(kShort) +
      "\r\n--part-x\r\nContent-Type: application/json\r\n\r\n" +
      R"({"items":[{"id":"b","at":"2025-12-01T06:00:00Z","title":"B"}]})" + "\r\n--part-x--\r\n";
  const auto report = Report(ReplayMode::kReport, true);
  EXPECT_EQ(report.got.records, 2);
  EXPECT_EQ(report.verdict, ReplayVerdict::kAgrees) << report.reason;
}

TEST_F(ReplayBatchTest, WhatCannotBeAskedTwiceIsNotAsked) {
  spec_.paging = {.style = domain::PagingStyle::kToken, .size = 2, .replayable = false};
  store_.batch.before = app::Position{.token = "scroll-7"};
  for (const auto& before :
       {std::optional(app::Position{.token = "scroll-7"}), std::optional<app::Position>()}) {
    store_.batch.before = before;
    const auto report = Replay();
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().hint, HasSubstr("‹wish.from_raw›"));
  }
  EXPECT_THAT(transport_.requests, IsEmpty());
}

TEST_F(ReplayBatchTest, AProviderThatFailsIsInTheReport) {
  Answer("down", 503);
  const auto report = Report(ReplayMode::kCommit);
  EXPECT_EQ(report.verdict, ReplayVerdict::kNoPage);
  EXPECT_THAT(report.reason, HasSubstr("503"));
  EXPECT_LE(transport_.requests.size(), 2u);
  EXPECT_THAT(store_.committed, IsEmpty());
}

TEST_F(ReplayBatchTest, IsolatesWhatDiffersWithTheProvidersBytes) {
  Answer(kNewer);
  EXPECT_EQ(Report(ReplayMode::kIsolate).isolated, 1);
  ASSERT_EQ(store_.isolated.size(), 1u);
  const auto& record = store_.isolated[0];
  EXPECT_EQ(record.id, "b");
  EXPECT_EQ(record.rule, "replay");
  EXPECT_THAT(record.reason, HasSubstr("1/2: changed (title)"));
  EXPECT_EQ(record.bytes, R"({"id":"b","at":"2025-12-01T07:00:00Z","title":"B2"})");
  EXPECT_FALSE(record.is_page);
  EXPECT_THAT(store_.committed, IsEmpty());
}

TEST_F(ReplayBatchTest, IsolatesBadRecordsWithWhatIsWrongWithThem) {
  Answer(kBad);
  Report(ReplayMode::kIsolate);
  ASSERT_EQ(store_.isolated.size(), 1u);
  EXPECT_THAT(store_.isolated[0].reason, HasSubstr("'title' is missing"));
}

TEST_F(ReplayBatchTest, CommitsAVerifiedPageAndNoOther) {
  Answer(kNewer);
  const auto done = Report(ReplayMode::kCommit);
  EXPECT_FALSE(done.refusal);
  EXPECT_EQ(done.replay_run, 99);
  EXPECT_EQ(store_.committed.size(), 2u);

  store_.committed.clear();
  struct Case {
    const char* page;
    const char* why;
  };
  for (const auto& [page, why] : {Case{kShort, "2 records are recorded, 1 came"},
                                  Case{kBad, "1 records of the page are bad"}}) {
    Answer(page);
    const auto refused = Report(ReplayMode::kCommit);
    ASSERT_TRUE(refused.refusal);
    EXPECT_THAT(refused.refusal->message, HasSubstr(why));
    EXPECT_THAT(refused.refusal->hint, HasSubstr("isolate"));
  }
  Answer(kPage);
  store_.batch.status = domain::BatchStatus::kRunning;
  EXPECT_TRUE(Report(ReplayMode::kCommit).refusal);
  EXPECT_THAT(store_.committed, IsEmpty());
}

TEST_F(ReplayBatchTest, ABatchThatFailedIsMeasuredByItsOwnAnswer) {
  store_.batch.status = domain::BatchStatus::kFailed;
  store_.batch.counts = {};
  store_.batch.raw_page.reset();
  store_.records.clear();
  const auto report = Report(ReplayMode::kCommit);
  EXPECT_FALSE(report.refusal);
  EXPECT_EQ(report.verdict, ReplayVerdict::kDiffers);
  EXPECT_EQ(store_.committed.size(), 2u);

  store_.committed.clear();
  spec_.response.total = "$.total";
  Answer(R"({"total":1,)" + std::string(kPage).substr(1));
  EXPECT_TRUE(Report(ReplayMode::kCommit).refusal) << "it announces less than it holds";
}

TEST_F(ReplayBatchTest, AListOfIdsHasNothingToCommit) {
  spec_.details.emplace();
  spec_.details->http = spec_.http;
  spec_.details->response = spec_.response;
  store_.batch.counts.received = 0;
  store_.batch.raw_page.reset();
  store_.batch.ids = {"a", "b"};
  EXPECT_EQ(Report().verdict, ReplayVerdict::kAgrees);
  store_.batch.ids = {"a", "c"};
  const auto report = Report(ReplayMode::kCommit);
  EXPECT_EQ(report.verdict, ReplayVerdict::kDiffers);
  EXPECT_EQ(report.reason, "1 new, 1 gone");
  ASSERT_TRUE(report.refusal);
}

}  // namespace patra::replay_batch_test
