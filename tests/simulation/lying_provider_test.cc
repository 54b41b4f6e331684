// Providers whose answers look right: lists that end where counting does, that are empty for a moment, that have another
// shape than the definition says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::lying_provider_test {

using namespace std::chrono_literals;
using testing::ModelRecord;

constexpr auto kSlices = 12;

struct Outcome {
  bool is_complete = false;
  int requests = 0;
  Duration took{};
  std::string unmet_fields{};
};

class Harvested {
 public:
  explicit Harvested(std::vector<ModelRecord> records,
                     domain::SpecSnapshot spec = testing::SourceIn("page"))
      : stage_(1, testing::kModelBegin + 49h),
        provider_(stage_, std::move(records), 0),
        spec_(std::move(spec)) {}

  testing::ModelProvider& provider() { return provider_; }

  // What the definition says from here on.
  void Define(domain::SpecSnapshot spec) { spec_ = std::move(spec); }
  Instant now() const { return stage_.Now(); }

  // Up to so long after the beginning of the model.
  Outcome To(Duration to, bool again = false) {
    Outcome outcome;
    const auto requests = provider_.requests;
    const auto begin = stage_.Now();
    stage_.Add([&] {
      testing::Process process(database_, stage_, clock_, provider_, ++lives_);
      const auto summary = process.harvest.Run(
          {.spec = spec_, .to = testing::kModelBegin + to, .options = {.again = again}},
          {.workers = 0}, [](const auto&) {});
      ASSERT_TRUE(summary) << summary.error().Describe();
      outcome.is_complete = summary->complete();
      outcome.unmet_fields = summary->work.unmet_fields;
    });
    stage_.Run();
    outcome.requests = provider_.requests - requests;
    outcome.took = stage_.Now() - begin;
    return outcome;
  }

  std::int64_t Count(const std::string& sql) const {
    const auto connection =
        infra::sqlite::Connection::Open(database_, infra::sqlite::Connection::Access::kReadOnly);
    return *(*connection)->Integer(sql);
  }
  // Whether everything that was asked for so far counts as proven.
  bool IsProven(Duration to) const {
    return Count(fmt::format(
               "SELECT count(*) FROM ing_coverage WHERE covered_from <= {} AND covered_to >= {}",
               testing::kModelBegin.time_since_epoch().count(),
               (testing::kModelBegin + to).time_since_epoch().count())) == 1;
  }
  std::int64_t items() const { return Count("SELECT count(*) FROM ing_item"); }

 private:
  testing::TemporaryFolder folder_;
  const std::string database_ = testing::EmptyStoreIn(folder_);
  testing::Stage stage_;
  testing::StageClock clock_{stage_};
  testing::ModelProvider provider_;
  domain::SpecSnapshot spec_;
  std::uint64_t lives_ = 0;
};

// So many in each slice of two hours.
std::vector<ModelRecord> Evenly(int per_slice, int slices) {
  std::vector<ModelRecord> records;
  for (int slice = 0; slice < slices; ++slice) {
    for (int i = 0; i < per_slice; ++i)
      records.push_back({fmt::format("r{}-{}", slice, i),
                         testing::kModelBegin + slice * 2h + i * (7200s / per_slice)});
  }
  return records;
}

domain::SpecSnapshot WithoutTotal() {
  auto spec = testing::SourceIn("page");
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.paging.ends = {domain::WalkEnd::kEmptyPage};
  return spec;
}

// Pages of five are asked for. Where each holds three, and the next begins with the sixth, two are left out.
TEST(LyingProvider, PagesThatAreCutOffAndCountedAsLargeAsTheyWereAskedForLeaveNothingOut) {
  for (const auto stable : {false, true}) {
    for (const int count : {3, 4, 5, 6, 17}) {
      for (auto spec : {testing::SourceIn("page"), WithoutTotal()}) {
        spec.order.stable = stable;
        Harvested harvested(Evenly(count, 1), spec);
        harvested.provider().total =
            spec.response.total ? testing::ModelTotal::kNumber : testing::ModelTotal::kNone;
        harvested.provider().page_max = 3;
        harvested.provider().pages_leave_gaps = true;
        EXPECT_TRUE(harvested.To(2h).is_complete) << count;
        EXPECT_EQ(harvested.items(), count);
      }
    }
  }
}

TEST(LyingProvider, WhereCountingEndsAtARoundNumberTheSliceIsCutUntilAllIsThere) {
  for (const std::size_t cap : {500U, 1'000U}) {
    Harvested harvested(Evenly(1'200, 1));
    harvested.provider().list_max = cap;
    EXPECT_TRUE(harvested.To(2h).is_complete) << cap;
    EXPECT_EQ(harvested.items(), 1'200) << cap;
  }
}

// Nothing is known of two days that are asked for half an hour at a time: so they are asked for at once, and what comes may
// be less than they hold.
domain::SpecSnapshot HalfHours() {
  auto spec = testing::SourceIn("page");
  spec.window.width = spec.window.width_max = 30min;
  return spec;
}

// What the definition and the provider mean by the ends of a window.
struct Ends {
  const char* name;
  bool is_inclusive = false;  // says the definition
  bool excludes_from = false;
  bool includes_to = false;
  std::optional<Duration> cuts_times_to{};
  bool loses = true;
};

const auto kEnds = std::to_array<Ends>({
    {.name = "as defined", .loses = false},
    {.name = "as defined, inclusive", .is_inclusive = true, .includes_to = true, .loses = false},
    {.name = "inclusive, defined as exclusive", .includes_to = true, .loses = false},
    {.name = "exclusive, defined as inclusive", .is_inclusive = true},
    {.name = "exclusive at both ends", .excludes_from = true},
    {.name = "exclusive at both ends, defined as inclusive",
     .is_inclusive = true,
     .excludes_from = true},
    {.name = "exclusive at the first",
     .is_inclusive = true,
     .excludes_from = true,
     .includes_to = true},
    {.name = "cut down to days", .cuts_times_to = 24h},
    {.name = "cut down to days, inclusive",
     .is_inclusive = true,
     .includes_to = true,
     .cuts_times_to = 24h},
});

// Records at every full hour, of two days that are asked for at once, since nothing is known of them.
class OfOtherEnds : public Harvested {
 public:
  explicit OfOtherEnds(const Ends& ends, Duration width = 30min)
      : Harvested(Records(), SpecFor(ends, width)) {
    provider().excludes_from = ends.excludes_from;
    provider().includes_to = ends.includes_to;
    provider().cuts_times_to = ends.cuts_times_to;
  }

  // Begins with a record, and ends before one: what happens at the ends of all that is asked for, no cut tells.
  static std::vector<ModelRecord> Records() {
    std::vector<ModelRecord> records;
    for (int hour = 0; hour < 48; ++hour) {
      for (int i = 0; i < 2; ++i)
        records.push_back({fmt::format("r{}-{}", hour, i), testing::kModelBegin + hour * 1h});
    }
    return records;
  }
  static domain::SpecSnapshot SpecFor(const Ends& ends, Duration width) {
    auto spec = testing::SourceIn("page");
    spec.window.width = spec.window.width_max = width;
    spec.window.granularity = domain::Granularity::kHour;
    spec.window.width_min = 1h;
    if (ends.is_inclusive) spec.window.ends = domain::WindowEnds::kInclusive;
    return spec;
  }
};

// Each day numbers its records anew.
std::vector<ModelRecord> NumberedBySlice(int per_slice, int slices) {
  auto records = Evenly(per_slice, slices);
  for (int i = 0; i < std::ssize(records); ++i)
    records[static_cast<std::size_t>(i)].id = fmt::format("r{}", i % per_slice);
  return records;
}

enum class Brings { kItsOwn, kTheIdsOfOthers, kTheFirstOfAll, kTheFirstOfHalfADay };

// The windows of a plan have no moment in common, and neither have their records.
void ExpectToldByRecords(Brings brings, const std::string& style, bool is_counted, bool settles) {
  auto spec = testing::SourceIn(style);
  spec.window.updated_is_filtered = false;
  spec.window.settles = settles;
  spec.paging.size = 11;
  if (!is_counted) {
    spec.response.total.reset();
    spec.response.total_kind = domain::TotalKind::kNone;
  }
  const bool are_ids_of_others = brings == Brings::kTheIdsOfOthers;
  Harvested harvested(are_ids_of_others ? NumberedBySlice(10, 12) : Evenly(10, 12), spec);
  auto& provider = harvested.provider();
  if (!is_counted) provider.total = testing::ModelTotal::kNone;
  provider.counts_what_it_does_not_list = brings == Brings::kTheFirstOfAll;
  if (brings == Brings::kTheFirstOfHalfADay) provider.cuts_from_to = 12h;
  const bool is_well = brings == Brings::kItsOwn;
  const auto what =
      fmt::format("{} {} {} {}", static_cast<int>(brings), style, is_counted, settles);
  EXPECT_EQ(harvested.To(24h).is_complete, is_well) << what;
  EXPECT_EQ(harvested.To(24h).is_complete, is_well) << what << ", once more";
  EXPECT_EQ(harvested.IsProven(24h), is_well) << what;
  if (is_well) {
    EXPECT_EQ(harvested.items(), 120) << what;
    EXPECT_EQ(harvested.Count("SELECT sum(elsewhere) FROM ing_plan_slice"), 0) << what;
  } else if (style != "time") {
    EXPECT_GT(harvested.Count("SELECT count(*) FROM ing_plan_slice WHERE gap LIKE '%came with "
                              "other windows%'"),
              0)
        << what;
  }
}

TEST(LyingProvider, WhereWindowsBringTheRecordsOfOthersNothingIsCalledComplete) {
  for (const auto brings : {Brings::kItsOwn, Brings::kTheIdsOfOthers, Brings::kTheFirstOfAll,
                            Brings::kTheFirstOfHalfADay}) {
    for (const auto* style : {"page", "offset", "token", "time"})
      ExpectToldByRecords(brings, style, true, true);
    ExpectToldByRecords(brings, "page", true, false);
    ExpectToldByRecords(brings, "page", false, true);
    ExpectToldByRecords(brings, "token", false, false);
  }
}

// What the definition says of the list.
TEST(LyingProvider, AListThatNamesARecordOnceForEachOfItsChangesIsBelieved) {
  auto spec = testing::SourceIn("page");
  spec.window.updated_is_filtered = false;
  spec.response.repeats = true;
  Harvested harvested(NumberedBySlice(10, 12), spec);
  EXPECT_TRUE(harvested.To(24h).is_complete);
  EXPECT_EQ(harvested.items(), 10);
}

// Two slices on either side of one have both its records, where both ends count; whoever is read last brings nothing of its own.
TEST(LyingProvider, RecordsAtTheEndsOfWindowsMayComeTwice) {
  for (const auto& ends : kEnds) {
    if (ends.loses) continue;
    auto spec = OfOtherEnds::SpecFor(ends, 1h);
    spec.window.updated_is_filtered = false;
    OfOtherEnds harvested(ends, 1h);
    harvested.Define(spec);
    EXPECT_TRUE(harvested.To(48h).is_complete) << ends.name;
    EXPECT_EQ(harvested.items(), 96) << ends.name;
  }
}

// They stop, each time at the same place, and say on the way how much there is.
TEST(LyingProvider, ATotalThatWasEverHigherThanWhatCameIsAGapAndOneThatTellsWhatIsLeftIsNone) {
  for (const std::string style : {"page", "offset", "token"}) {
    for (const bool stops : {true, false}) {
      auto spec = testing::SourceIn(style);
      spec.window.filter = domain::WindowFilter::kNone;
      spec.paging.split_by = {};
      Harvested harvested(Evenly(33, 1), spec);
      auto& provider = harvested.provider();
      if (stops) provider.list_max = 15;
      provider.tells = [stops](std::int64_t count, std::int64_t before) {
        if (!stops) return count - before;
        return before == 0 ? std::int64_t{33} : count;
      };
      EXPECT_EQ(harvested.To(2h).is_complete, !stops) << style;
      EXPECT_EQ(harvested.items(), stops ? 15 : 33) << style;
      // What a certificate compares.
      const auto* sums =
          "SELECT count(*) FROM ing_plan_slice WHERE announced = received - repeated";
      EXPECT_EQ(harvested.Count(sums), stops ? 0 : 1) << style;
    }
  }
}

TEST(LyingProvider, WhereTheEndsOfWindowsAreOthersNothingIsCalledCompleteThatLacksARecord) {
  for (const auto& ends : kEnds) {
    OfOtherEnds harvested(ends, 1h);
    const auto outcome = harvested.To(48h);
    EXPECT_EQ(outcome.is_complete, !ends.loses) << ends.name;
    EXPECT_EQ(harvested.IsProven(48h), !ends.loses) << ends.name;
    EXPECT_EQ(harvested.items() == 96, !ends.loses) << ends.name;
    // Of times that are cut down, some part gets far more than it asked for.
    const bool falls_short = ends.loses && !ends.cuts_times_to;
    EXPECT_EQ(
        harvested.Count("SELECT count(*) FROM ing_plan_slice WHERE whole_total > parts_total"),
        falls_short ? 1 : 0)
        << ends.name;
  }
}

// Records are updated while the slices are read: they leave their windows, and the sums become smaller.
TEST(LyingProvider, WhereTheEndsOfWindowsAreOthersAListThatMovesIsToldFromOneThatLacksRecords) {
  for (const auto& ends : kEnds) {
    OfOtherEnds harvested(ends, 1h);
    int pages = 0;
    harvested.provider().before_page = [&] {
      auto& records = harvested.provider().records();
      if (++pages % 5 == 0)
        records[records.size() - 1 - static_cast<std::size_t>(pages / 5)].updated =
            testing::kModelBegin + 60h;
    };
    const auto outcome = harvested.To(48h);
    EXPECT_EQ(outcome.is_complete, !ends.loses) << ends.name;
  }
}

// Nobody promises that nothing comes in: where one comes and two leave behind our back, all is as well as it can be.
TEST(LyingProvider, WhereTheEndsOfWindowsAreOthersAListThatGainsRecordsIsToldFromOneThatLacksThem) {
  for (const auto& ends : kEnds) {
    OfOtherEnds harvested(ends, 1h);
    auto spec = OfOtherEnds::SpecFor(ends, 1h);
    spec.window.settles = false;
    spec.paging.size = 25;  // each part comes with one page
    harvested.Define(spec);
    int pages = 0;
    harvested.provider().before_page = [&] {
      auto& records = harvested.provider().records();
      if (++pages != 5) return;
      records.back().updated = testing::kModelBegin + 60h;
      for (int i = 0; i < 3; ++i)
        records.push_back({fmt::format("late{}", i), testing::kModelBegin});
    };
    const auto outcome = harvested.To(48h);
    EXPECT_EQ(outcome.is_complete, !ends.loses) << ends.name;
    // The whole, its parts, the whole, its parts, and the whole.
    if (&ends == kEnds.begin()) {
      EXPECT_EQ(outcome.requests, 1 + 4 + 1 + 4 + 1);
    }
  }
}

TEST(LyingProvider, WhatFellShortStaysSoUntilAllOfItIsReadAnewAndAddsUp) {
  const Ends wrong{.name = "exclusive, defined as inclusive", .is_inclusive = true};
  OfOtherEnds harvested(wrong, 1h);
  ASSERT_FALSE(harvested.To(48h).is_complete);
  ASSERT_FALSE(harvested.To(48h).is_complete) << "it is tried again";

  // Something else was changed, and the window of the last part alone is planned anew.
  auto spec = OfOtherEnds::SpecFor(wrong, 1h);
  spec.paging.size = 6;
  harvested.Define(spec);
  harvested.To(48h);
  EXPECT_FALSE(harvested.IsProven(48h)) << "its siblings are not proven any more";
  EXPECT_FALSE(harvested.To(48h, true).is_complete) << "as a whole it is short again";
  EXPECT_FALSE(harvested.IsProven(48h));

  spec.window.ends = domain::WindowEnds::kExclusive;
  harvested.Define(spec);
  EXPECT_TRUE(harvested.To(48h, true).is_complete);
  EXPECT_TRUE(harvested.IsProven(48h));
  EXPECT_EQ(harvested.items(), 96);
}

// The newest part of what is asked for is empty, and so is the whole, for a provider that answers for no more than that.
TEST(LyingProvider, WhereLongWindowsAreAnsweredWithNothingShorterOnesAreAskedFor) {
  for (const auto* style : {"page", "offset", "token"}) {
    for (const bool last : {false, true}) {
      for (const auto most : {40min, 3 * 60min}) {
        for (const int begin : {0, 7, 20}) {
          auto records = Evenly(12, 4);
          for (auto& record : records) record.updated += begin * 2h;
          auto spec = testing::SourceIn(style);
          spec.window.width = spec.window.width_max = 30min;
          Harvested harvested(records, spec);
          harvested.provider().window_max = most;
          harvested.provider().answers_for_the_last = last;
          harvested.provider().answers_long_windows_with_nothing = !last;
          const auto outcome = harvested.To(48h);
          const auto what = fmt::format("{} {} {} {}", style, last, most.count(), begin);
          EXPECT_TRUE(outcome.is_complete) << what;
          EXPECT_EQ(harvested.items(), 48) << what;
        }
      }
    }
  }
}

TEST(LyingProvider, OfALongWindowThatIsEmptyIndeedOnlySomePartsAreAskedFor) {
  Harvested harvested({}, HalfHours());
  const auto outcome = harvested.To(48h);
  EXPECT_TRUE(outcome.is_complete);
  EXPECT_EQ(outcome.requests, 3 + 8) << "the whole until it is believed, and parts of it";
}

TEST(LyingProvider, WhereLongWindowsAreAnsweredInPartWithoutAWordAllIsThereAllTheSame) {
  for (const auto most : {40min, 3 * 60min, 24 * 60min}) {
    for (const bool last : {false, true}) {
      for (const int records : {1, 10}) {
        // Where no record lies in the part that is answered for, the window is empty, and that is believed.
        if (most < 2h && records == 1) continue;
        Harvested harvested(Evenly(records, 24), HalfHours());
        harvested.provider().window_max = most;
        harvested.provider().answers_for_the_last = last;
        EXPECT_TRUE(harvested.To(48h).is_complete);
        EXPECT_EQ(harvested.items(), records * 24) << most.count() << (last ? " last" : " first");
      }
    }
  }
}

// Honest, for once: who refuses a window that the definition does not vouch for is asked for shorter ones.
TEST(LyingProvider, WhereLongWindowsAreRefusedShorterOnesAreAskedFor) {
  for (const auto most : {40min, 3 * 60min, 24 * 60min}) {
    Harvested harvested(Evenly(10, 24), HalfHours());
    harvested.provider().window_max = most;
    harvested.provider().refuses_long_windows = true;
    EXPECT_TRUE(harvested.To(48h).is_complete) << most.count();
    EXPECT_EQ(harvested.items(), 240) << most.count();
  }
  Harvested refused(Evenly(10, 24), HalfHours());
  refused.provider().window_max = 10min;
  refused.provider().refuses_long_windows = true;
  const auto outcome = refused.To(48h);
  EXPECT_FALSE(outcome.is_complete);
  EXPECT_EQ(outcome.requests, 2) << "who refuses the definition's own width is asked for no other";
}

TEST(LyingProvider, WhereLongWindowsEndAtSoManyAndAnnounceNoMoreAllIsThereAllTheSame) {
  for (const std::size_t cap : {7U, 33U, 130U}) {
    Harvested harvested(Evenly(10, 24), HalfHours());
    harvested.provider().list_max = cap;
    EXPECT_TRUE(harvested.To(48h).is_complete) << cap;
    EXPECT_EQ(harvested.items(), 240) << cap;
  }
}

// Nobody can cut a list that knows no time. The slip comes with every walk.
TEST(LyingProvider, WithoutATotalAnEmptyPageAmidFullOnesIsNotTheEnd) {
  for (const std::string style : {"page", "offset"}) {
    auto spec = testing::SourceIn(style);
    spec.response.total.reset();
    spec.response.total_kind = domain::TotalKind::kNone;
    spec.paging.ends = {};
    spec.paging.split_by = {};
    spec.window.filter = domain::WindowFilter::kNone;
    spec.paging.size = 10;
    Harvested harvested(Evenly(55, 1), spec);
    harvested.provider().total = testing::ModelTotal::kNone;
    int pages = 0;
    harvested.provider().lie = [&]() -> std::optional<std::string> {
      if (++pages % 7 != 3) return std::nullopt;
      return R"({"items":[]})";
    };
    harvested.To(2h);
    EXPECT_EQ(harvested.items(), 55) << style;
  }
}

// Of a list that nobody can cut or counts.
domain::SpecSnapshot Uncounted(const std::string& style) {
  auto spec = testing::SourceIn(style);
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.window.filter = domain::WindowFilter::kNone;
  spec.paging.size = 10;
  return spec;
}

// As at the end of a list, nothing is where the definition looks for it.
TEST(LyingProvider, WhatLeadsOnAndIsLookedForInTheWrongPlaceProvesNoEnd) {
  for (const std::string style : {"token", "members", "header"}) {
    for (const std::size_t page_max : {10U, 7U}) {
      for (const bool is_wrong : {false, true}) {
        auto spec = Uncounted(style);
        if (is_wrong && style == "header") spec.paging.next_header = "X-Continue";
        if (is_wrong && style != "header")
          spec.paging.next = style == "token" ? "$.nxt" : "$.continues";
        Harvested harvested(Evenly(55, 1), spec);
        harvested.provider().total = testing::ModelTotal::kNone;
        harvested.provider().page_max = page_max;
        const auto outcome = harvested.To(2h);
        EXPECT_EQ(outcome.is_complete, !is_wrong) << style << page_max;
        if (is_wrong) {
          EXPECT_EQ(outcome.requests, 2) << "reading it once more tells nothing new";
        } else {
          EXPECT_EQ(harvested.items(), 55) << style << page_max;
        }
      }
    }
  }
}

TEST(LyingProvider, WhereNothingLeadsOnAPageThatIsFullIsNoProof) {
  for (const int records : {9, 10}) {
    Harvested harvested(Evenly(records, 1), Uncounted("token"));
    harvested.provider().total = testing::ModelTotal::kNone;
    EXPECT_EQ(harvested.To(2h).is_complete, records < 10);
    EXPECT_EQ(harvested.items(), records);
  }
}

// The definition says that windows of two hours are answered for, and it is wrong.
TEST(LyingProvider, WhereWindowsOfTheDefinitionAreAnsweredInPartAllIsThereAllTheSame) {
  for (const bool last : {false, true}) {
    for (auto spec : {testing::SourceIn("page"), WithoutTotal()}) {
      Harvested harvested(Evenly(30, 12), spec);
      harvested.provider().total =
          spec.response.total ? testing::ModelTotal::kNumber : testing::ModelTotal::kNone;
      harvested.provider().window_max = 40min;
      harvested.provider().answers_for_the_last = last;
      EXPECT_TRUE(harvested.To(24h).is_complete);
      EXPECT_EQ(harvested.items(), 360) << (last ? "last" : "first");
    }
  }
}

// What a token that died answers, too.
TEST(LyingProvider, WithoutATotalAListThatEndsBehindAFullPageIsCutUntilAllIsThere) {
  for (const std::size_t cap : {20U, 100U, 200U}) {
    auto spec = WithoutTotal();
    spec.paging.size = 20;
    Harvested harvested(Evenly(330, 1), spec);
    harvested.provider().total = testing::ModelTotal::kNone;
    harvested.provider().list_max = cap;
    EXPECT_TRUE(harvested.To(2h).is_complete) << cap;
    EXPECT_EQ(harvested.items(), 330) << cap;
  }
}

// A nightly batch changed many records within a minute: only slices of seconds hold less than the provider hands out.
std::vector<ModelRecord> WithBurst() {
  auto records = Evenly(10, 1);
  for (int i = 0; i < 300; ++i)
    records.push_back({fmt::format("b{}", i), testing::kModelBegin + 47min + i / 5 * 1s});
  return records;
}

TEST(LyingProvider, WhereABurstLiesBehindACapItIsCutIntoSecondsUntilAllIsThere) {
  for (const auto* style : {"page", "token"}) {
    for (const bool newest : {false, true}) {
      for (const std::size_t cap : {20U, 40U}) {
        auto spec = testing::SourceIn(style);
        spec.response.total.reset();
        spec.response.total_kind = domain::TotalKind::kNone;
        if (spec.paging.style == domain::PagingStyle::kPage)
          spec.paging.ends = {domain::WalkEnd::kEmptyPage};
        spec.paging.size = 20;
        Harvested harvested(WithBurst(), spec);
        harvested.provider().total = testing::ModelTotal::kNone;
        harvested.provider().list_max = cap;
        harvested.provider().lists_the_newest = newest;
        EXPECT_TRUE(harvested.To(2h).is_complete) << style << cap;
        EXPECT_EQ(harvested.items(), 310) << style << cap << (newest ? " newest" : " oldest");
      }
    }
  }
}

// Each part ends like the whole that it was cut from, and would be cut again, down to the second.
TEST(LyingProvider, WhoDoesNotLookAtWindowsIsNotAskedForEverSmallerOnes) {
  for (const auto* style : {"page", "token"}) {
    for (const auto total : {testing::ModelTotal::kNone, testing::ModelTotal::kNumber}) {
      for (const std::size_t page : {3U, 20U}) {
        auto spec = testing::SourceIn(style);
        if (total == testing::ModelTotal::kNone) {
          spec.response.total.reset();
          spec.response.total_kind = domain::TotalKind::kNone;
          if (spec.paging.style == domain::PagingStyle::kPage)
            spec.paging.ends = {domain::WalkEnd::kEmptyPage};
        }
        spec.paging.size = static_cast<std::int64_t>(page);
        Harvested harvested(WithBurst(), spec);
        harvested.provider().total = total;
        harvested.provider().list_max = 2 * page;
        harvested.provider().ignores_windows = true;
        const auto outcome = harvested.To(24h);
        EXPECT_FALSE(outcome.is_complete) << style << page;
        EXPECT_LT(outcome.requests, 1'000) << style << page;
      }
    }
  }
}

void Ask(domain::SpecSnapshot& spec, const std::set<std::string>& left_out) {
  std::erase_if(spec.http.query, [&](const auto& named) { return left_out.contains(named.first); });
}

// A provider that hears only where a window begins sends all that came since. Slices of two hours would each read that.
TEST(LyingProvider, WhoDoesNotHearWhereAWindowEndsIsReadOnce) {
  for (const auto* style : {"page", "token"}) {
    for (const auto total : {testing::ModelTotal::kNone, testing::ModelTotal::kNumber}) {
      auto spec = total == testing::ModelTotal::kNone ? WithoutTotal() : testing::SourceIn(style);
      Ask(spec, {"to"});
      Harvested harvested(Evenly(20, 12), spec);
      harvested.provider().total = total;
      EXPECT_TRUE(harvested.To(10h).is_complete) << style;
      EXPECT_LE(harvested.items(), 101) << "what lies behind the window is the next harvest's";
      const auto rest = harvested.To(24h);
      EXPECT_TRUE(rest.is_complete) << style;
      EXPECT_EQ(harvested.items(), 240) << style;
      EXPECT_LT(rest.requests, 100)
          << style << ": 140 records on pages of five, seen twice at most";
    }
  }
}

// A list that we filter, newest first: its length is a multiple of its pages', and its total is that of the whole list.
TEST(LyingProvider, AListThatIsFilteredHereIsReadOnceAndOnlyAsFarAsItsWindowReaches) {
  for (const auto* style : {"page", "token"}) {
    for (const auto total : {testing::ModelTotal::kNone, testing::ModelTotal::kNumber}) {
      auto spec = testing::SourceIn(style);
      if (total == testing::ModelTotal::kNone) {
        spec.response.total.reset();
        spec.response.total_kind = domain::TotalKind::kNone;
        if (spec.paging.style == domain::PagingStyle::kPage)
          spec.paging.ends = {domain::WalkEnd::kEmptyPage};
      }
      Ask(spec, {"from", "to"});
      spec.paging.size = 20;
      spec.window.filter = domain::WindowFilter::kClient;
      spec.order = {.by = "updated", .direction = domain::SortDirection::kDesc, .stable = true};
      Harvested harvested(Evenly(20, 12), spec);
      harvested.provider().total = total;
      harvested.provider().lists_newest_first = true;
      EXPECT_TRUE(harvested.To(10h).is_complete) << style;
      EXPECT_EQ(harvested.items(), 100) << style;
      const auto rest = harvested.To(24h);
      EXPECT_TRUE(rest.is_complete) << style;
      EXPECT_EQ(harvested.items(), 240) << style;
      EXPECT_LT(rest.requests, 40) << style << ": twelve pages, seen twice at most";
    }
  }
}

// Three records of each moment, and pages of five: at the end of nearly every page some of a moment are left.
TEST(LyingProvider, WhoLeavesOutTheMomentThatAPageByTimeBeginsWithLosesNothingUnseen) {
  std::vector<ModelRecord> records;
  for (int i = 0; i < 300; ++i)
    records.push_back({fmt::format("r{}", i), testing::kModelBegin + 7s + i / 3 * 61s});
  for (const bool leaves_out : {false, true}) {
    auto spec = testing::SourceIn("time");
    spec.response.total.reset();
    spec.response.total_kind = domain::TotalKind::kNone;
    Harvested harvested(records, spec);
    harvested.provider().total = testing::ModelTotal::kNone;
    harvested.provider().excludes_from = leaves_out;
    const auto outcome = harvested.To(2h);
    EXPECT_TRUE(outcome.is_complete || leaves_out);
    if (outcome.is_complete) {
      EXPECT_EQ(harvested.items(), 300) << leaves_out;
    }
  }
}

TEST(LyingProvider, WhereEachPartAnnouncesWhatTheWholeDidItIsCutUntilAllIsThere) {
  for (const bool newest : {false, true}) {
    auto spec = HalfHours();
    spec.paging.size = 20;
    Harvested harvested(WithBurst(), spec);
    harvested.provider().list_max = 47;
    harvested.provider().lists_the_newest = newest;
    EXPECT_TRUE(harvested.To(48h).is_complete);
    EXPECT_EQ(harvested.items(), 310) << (newest ? "newest" : "oldest");
  }
}

// The page has room for more than the provider ever gives, so that its end looks like that of the list.
TEST(LyingProvider, WhereTheTotalIsWhatStandsOnThePageAllIsThereInTheEnd) {
  for (const std::size_t most : {20U, 45U}) {
    auto spec = HalfHours();
    spec.paging.size = 50;
    // All over the time that is asked for, or in the first quarter of it.
    for (const int slices : {24, 6}) {
      Harvested harvested(Evenly(30, slices), spec);
      harvested.provider().list_max = most;
      harvested.provider().lists_any = true;
      harvested.To(48h);
      EXPECT_TRUE(!harvested.IsProven(48h) || harvested.items() == 30 * slices) << most;
      harvested.To(48h, true);
      EXPECT_TRUE(harvested.IsProven(48h)) << most << ": what was learnt stays known";
      EXPECT_EQ(harvested.items(), 30 * slices) << most;
    }
  }
}

TEST(LyingProvider, WithoutATotalACapBelowThePageSizeIsFoundOutByAllThatShowAsMany) {
  auto spec = WithoutTotal();
  spec.paging.size = 50;
  Harvested harvested(Evenly(90, 12), spec);
  harvested.provider().total = testing::ModelTotal::kNone;
  harvested.provider().list_max = 30;
  harvested.provider().lists_any = true;
  harvested.To(24h);
  EXPECT_TRUE(!harvested.IsProven(24h) || harvested.items() == 1'080) << harvested.items();
  harvested.To(24h, true);
  EXPECT_TRUE(harvested.IsProven(24h)) << "what was learnt stays known";
  EXPECT_EQ(harvested.items(), 1'080);
}

// A station that measures every five minutes, and whose provider announces nothing.
TEST(LyingProvider, WithoutATotalAllSlicesMayHoldAsMany) {
  auto spec = WithoutTotal();
  spec.paging.size = 50;
  Harvested harvested(Evenly(24, 12), spec);
  harvested.provider().total = testing::ModelTotal::kNone;
  EXPECT_TRUE(harvested.To(24h).is_complete);
  EXPECT_TRUE(harvested.IsProven(24h));
  EXPECT_EQ(harvested.items(), 288);
}

// Slices that announce as much as the provider counts to are believed until the parts of a third tell otherwise.
TEST(LyingProvider, WhereSlicesAnnounceTheSameTheProviderMayCountNoFurther) {
  for (const bool newest : {false, true}) {
    for (const std::int64_t size : {60, 150}) {
      auto spec = testing::SourceIn("page");
      spec.paging.size = size;
      Harvested harvested(Evenly(180, 6), spec);
      harvested.provider().list_max = 137;
      harvested.provider().lists_the_newest = newest;
      harvested.To(12h);
      EXPECT_FALSE(harvested.IsProven(12h)) << size;
      EXPECT_EQ(harvested.Count("SELECT count(*) FROM ing_plan_slice WHERE gap LIKE '%counts no "
                                "further%' AND status_code = 'SUCCEEDED'"),
                5)
          << size;
      EXPECT_TRUE(harvested.To(12h, true).is_complete) << size << ": what was learnt stays known";
      EXPECT_TRUE(harvested.IsProven(12h)) << size;
      EXPECT_EQ(harvested.items(), 1'080) << size;
    }
  }
}

// A station that measures once a minute announces the same for every window, and one of them is enough to see that it is well.
TEST(LyingProvider, WhereAllSlicesHoldAsManyOneIsCutToSeeIt) {
  auto spec = testing::SourceIn("page");
  spec.paging.size = 150;
  Harvested harvested(Evenly(120, 12), spec);
  const auto outcome = harvested.To(24h);
  EXPECT_TRUE(outcome.is_complete);
  EXPECT_EQ(harvested.items(), 1'440);
  EXPECT_EQ(outcome.requests, 12 + 2);
}

TEST(LyingProvider, WithoutATotalMoreInOneMomentThanTheProviderHandsOutIsNotCalledComplete) {
  auto records = Evenly(10, 1);
  for (int i = 0; i < 60; ++i)
    records.push_back({fmt::format("b{}", i), testing::kModelBegin + 47min});
  auto spec = WithoutTotal();
  spec.paging.size = 20;
  Harvested harvested(std::move(records), spec);
  harvested.provider().total = testing::ModelTotal::kNone;
  harvested.provider().list_max = 20;
  EXPECT_FALSE(harvested.To(2h).is_complete);
}

TEST(LyingProvider, WithoutATotalAListOfARoundNumberIsCutUntilAllIsThere) {
  for (const std::size_t cap : {500U, 1'000U}) {
    auto spec = WithoutTotal();
    spec.paging.size = 80;
    Harvested harvested(Evenly(1'230, 1), spec);
    harvested.provider().total = testing::ModelTotal::kNone;
    harvested.provider().list_max = cap;
    EXPECT_TRUE(harvested.To(2h).is_complete) << cap;
    EXPECT_EQ(harvested.items(), 1'230) << cap;
  }
}

TEST(LyingProvider, WhereSoManyShareOneMomentNothingIsCalledComplete) {
  auto records = Evenly(1'200, 1);
  for (auto& record : records) record.updated = testing::kModelBegin + 30min;
  Harvested harvested(std::move(records));
  harvested.provider().list_max = 500;
  EXPECT_FALSE(harvested.To(2h).is_complete);
}

// Said as long as the definition is new: its first records tell whether a path leads anywhere.
TEST(LyingProvider, AFieldThatNoRecordHasIsSaid) {
  for (const auto& [is_mistyped, settles] :
       {std::pair(false, true), std::pair(true, true), std::pair(true, false)}) {
    auto spec = testing::SourceIn("page");
    spec.window.settles = settles;  // else every list is walked twice
    spec.fields.push_back({.name = "name", .path = is_mistyped ? "$.titel" : "$.title"});
    Harvested harvested(Evenly(30, 2), spec);
    const auto outcome = harvested.To(4h);
    EXPECT_TRUE(outcome.is_complete) << "fields may be rare";
    EXPECT_EQ(outcome.unmet_fields.find("'name' ($.titel)") != std::string::npos, is_mistyped)
        << settles;
    EXPECT_EQ(harvested.To(4h).unmet_fields, "") << "it was said";
  }
}

TEST(LyingProvider, ListThatIsEmptyForAMomentIsLookedAtAgainWhereManyRecordsAreUsual) {
  Harvested harvested(Evenly(10, kSlices + 1));
  ASSERT_TRUE(harvested.To(kSlices * 2h).is_complete);
  bool was_empty = false;
  harvested.provider().lie = [&]() -> std::optional<std::string> {
    if (std::exchange(was_empty, true)) return std::nullopt;
    return R"({"total":0,"items":[]})";
  };
  EXPECT_TRUE(harvested.To((kSlices + 1) * 2h).is_complete);
  EXPECT_EQ(harvested.items(), (kSlices + 1) * 10);
}

// For as long as eight slices had records, an empty one is news.
TEST(LyingProvider, EmptySliceIsLookedAtForAWhileUntilOneWasEmptyIndeed) {
  Harvested harvested(Evenly(10, 1));
  EXPECT_TRUE(harvested.To(2h).is_complete);
  const auto first = harvested.To(4h);
  EXPECT_TRUE(first.is_complete);
  EXPECT_EQ(first.requests, 3);
  EXPECT_GE(first.took, 11s) << "a bad moment takes time";
  const auto next = harvested.To(kSlices * 2h);
  EXPECT_TRUE(next.is_complete);
  EXPECT_EQ(next.requests, kSlices - 2);
}

// A provider that falls back to an empty index announces that nothing is there. Slices that had brought nothing yet are
// believed to be empty sooner.
TEST(LyingProvider, EmptinessThatLastsForAWhileProvesNothing) {
  struct Case {
    std::chrono::seconds lasts;
    int slices;
  };
  for (const auto& [lasts, slices] : {Case{5s, 3}, Case{10s, 3}, Case{30s, 1}, Case{120s, 1}}) {
    auto spec = testing::SourceIn("page");
    spec.window.settles = true;
    Harvested harvested(Evenly(30, slices), spec);
    int answers = 0;
    std::optional<Instant> since;
    harvested.provider().lie = [&]() -> std::optional<std::string> {
      if (++answers == 3) since = harvested.now();
      if (!since || harvested.now() - *since > lasts) return std::nullopt;
      return R"({"total":0,"items":[]})";
    };
    const bool is_complete = harvested.To(slices * 2h).is_complete;
    EXPECT_EQ(is_complete, harvested.items() == 30 * slices) << lasts.count();
    EXPECT_EQ(is_complete, lasts <= 30s) << "else the command leaves it for later";
  }
}

TEST(LyingProvider, ListThatLacksHalfOfWhatJustCameIsLookedAtUntilItStaysSo) {
  auto spec = testing::SourceIn("page");
  spec.window.settles = true;
  Harvested harvested(Evenly(30, 1), spec);
  int answers = 0;
  harvested.provider().lie = [&]() -> std::optional<std::string> {
    ++answers;
    if (answers < 3 || answers > 4) return std::nullopt;
    return R"({"total":0,"items":[]})";
  };
  EXPECT_TRUE(harvested.To(2h).is_complete);
  EXPECT_EQ(harvested.items(), 30);
}

// Ten are asked for and seven come, though nine are of one moment: what follows it tells.
TEST(LyingProvider, MomentWithMoreRecordsThanThePagesOfTheProviderIsNotCalledComplete) {
  for (const int share : {3, 4, 9}) {
    std::vector<ModelRecord> records;
    for (int i = 0; i < 90; ++i)
      records.push_back({fmt::format("r{}", i), testing::kModelBegin + (i / share) * 1min});
    auto spec = testing::SourceIn("time");
    spec.response.total.reset();
    spec.response.total_kind = domain::TotalKind::kNone;
    Harvested harvested(std::move(records), spec);
    harvested.provider().total = testing::ModelTotal::kNone;
    harvested.provider().page_max = 4;
    const auto outcome = harvested.To(2h);
    EXPECT_TRUE(!outcome.is_complete || harvested.items() == 90) << share;
    EXPECT_EQ(outcome.is_complete, share < 4) << share;
  }
}

// Whoever writes a definition wants to know at once that it does not fit.
TEST(LyingProvider, ShapeThatNeverFittedFailsWithinSeconds) {
  for (const auto* shape : {R"({"results":[]})", R"({"total":"150.0","items":[{"id":"a"}]})",
                            R"({"items":[]}{"items":[]})", "<html></html>"}) {
    Harvested harvested(Evenly(10, 1));
    harvested.provider().lie = [&] { return shape; };
    const auto outcome = harvested.To(2h);
    EXPECT_FALSE(outcome.is_complete);
    EXPECT_LE(outcome.took, 20s) << shape;
    EXPECT_LE(outcome.requests, 3) << shape;
    EXPECT_EQ(harvested.Count("SELECT count(*) FROM ing_task WHERE status_code = 'FAILED'"), 1)
        << shape;
  }
}

TEST(LyingProvider, ShapeThatFittedBeforeIsWaitedFor) {
  Harvested harvested(Evenly(10, 2));
  ASSERT_TRUE(harvested.To(2h).is_complete);
  harvested.provider().lie = [&] { return R"({"maintenance":true})"; };
  EXPECT_FALSE(harvested.To(4h).is_complete);
  EXPECT_EQ(harvested.Count("SELECT count(*) FROM ing_task WHERE status_code = 'FAILED'"), 0);
  EXPECT_EQ(harvested.Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 1);
}

}  // namespace patra::lying_provider_test
