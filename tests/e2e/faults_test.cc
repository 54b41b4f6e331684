// What providers do wrong, one fault at a time on every way of paging, and in storms. Whatever happens, nothing is silent:
// the store holds the truth, or what is missing stands in quarantine or in a named gap (I10).
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/faults.h"
#include "sim/simulator.h"
#include "tests/e2e/sim_rest.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::faults_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 10 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

enum class Leaves {
  kNothing,     // the store holds the whole truth
  kQuarantine,  // some records stand apart, and only those are missing
};

struct Case {
  const char* name;
  const char* fault;
  Leaves leaves = Leaves::kNothing;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.fault; }

using Parameters = std::tuple<Case, const char*>;

class OneFault : public ::testing::TestWithParam<Parameters> {};

TEST_P(OneFault, LosesNothingSilently) {
  const auto& [fault, endpoint] = GetParam();
  testing::TemporaryFolder folder;
  testing::TestStores stores;
  const auto faults = ParseJson(fault.fault);
  ASSERT_TRUE(faults);
  auto simulator = sim::Simulator::Start(
      {.seed = 9,
       .size = 1'500,
       .providers = {"rest"},
       .begin = kBegin,
       .now = kNow,
       .late_by = boot::kDemoLatestArrival,
       .enforce_limits = false,
       .faults = Value::Object{{"seed", 1}, {"faults", Value::Array{*faults}}}});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  const auto engine = boot::Engine::Open(
      {.database = stores.At(folder.Path("patra.db")), .allow_loopback = true}, clock);
  ASSERT_TRUE(engine);
  const auto spec = testing::SimRest(endpoint, (*simulator)->url(), kBegin);
  const auto summary = testing::Harvest(**engine, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete())
      << summary->work.failed << " failed, " << summary->work.partial << " partial, "
      << summary->work.left
      << " left: " << (summary->work.first_error ? summary->work.first_error->Describe() : "");
  ASSERT_TRUE(summary->watermark);
  const auto difference = boot::CompareWithTruth(
      **simulator, (*engine)->store().read().items(), kBegin, *summary->watermark,
      {.truth = std::string_view(endpoint) == "by-ids" ? "rest" : "rest/deleted",
       .provenance = "sim-rest",
       .endpoint = endpoint});
  ASSERT_TRUE(difference);
  const auto quarantined = summary->work.totals.counts.quarantined;
  if (fault.leaves == Leaves::kNothing) {
    EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                     << " wrong, such as " << difference->first;
  } else {
    EXPECT_GT(quarantined, 0);
    EXPECT_LE(difference->missing + difference->wrong, quarantined);
  }
}

std::string NameOf(const ::testing::TestParamInfo<Parameters>& test) {
  std::string endpoint = std::get<1>(test.param);
  std::erase(endpoint, '-');
  return std::string(std::get<0>(test.param).name) + "_" + endpoint;
}

INSTANTIATE_TEST_SUITE_P(
    Alone, OneFault,
    ::testing::Combine(
        ::testing::Values(
            Case{"TooManyRequests",
                 R"({"kind":"too_many_requests","positions":[2,3],"retry_after":"2s"})"},
            Case{"ServerError", R"({"kind":"server_error","positions":[2,5,6]})"},
            Case{"ResetBeforeHead", R"({"kind":"reset_before_head","positions":[2]})"},
            Case{"ResetMidBody", R"({"kind":"reset_mid_body","positions":[3]})"},
            Case{"Truncated", R"({"kind":"truncated","positions":[3]})"},
            Case{"TruncatedSilently", R"({"kind":"truncated_silently","positions":[3]})"},
            Case{"WrongLength", R"({"kind":"wrong_length","amount":40,"positions":[3]})"},
            Case{"ErrorBody", R"({"kind":"error_body","positions":[3]})"},
            Case{"Html", R"({"kind":"html","positions":[2]})"},
            Case{"DeepJson", R"({"kind":"deep_json","positions":[2]})"},
            Case{"RepeatedPage", R"({"kind":"repeated_page","positions":[4]})"},
            Case{"RepeatedToken", R"({"kind":"repeated_token","positions":[3]})"},
            Case{"DeadToken", R"({"kind":"dead_token","positions":[3]})"},
            Case{"MissingNext", R"({"kind":"missing_next","positions":[2]})"},
            Case{"EmptyPage", R"({"kind":"empty_page","positions":[3]})"},
            Case{"MovingTotal", R"({"kind":"moving_total","positions":[3]})"},
            Case{"MissingTotal", R"({"kind":"missing_total","positions":[1,3]})"},
            Case{"EmptyError", R"({"kind":"empty_error","positions":[1,3]})"},
            Case{"Shrink", R"({"kind":"shrink","positions":[2,3]})"},
            Case{"Grow", R"({"kind":"shrink","amount":-3,"positions":[2,3]})"},
            Case{"Drift", R"({"kind":"drift","positions":[2,3]})"},
            Case{"ShuffledItems", R"({"kind":"shuffled_items","positions":[2,3]})"},
            Case{"DuplicateItems", R"({"kind":"duplicate_items","positions":[2]})"}),
        ::testing::Values("items", "by-offset", "by-token", "by-continue", "by-header", "by-scroll",
                          "by-url", "by-ids")),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    BadRecord, OneFault,
    ::testing::Combine(
        ::testing::Values(
            Case{"InvalidUtf8", R"({"kind":"invalid_utf8","positions":[2]})", Leaves::kQuarantine},
            Case{"HugeInteger", R"({"kind":"huge_integer","positions":[2]})", Leaves::kQuarantine},
            Case{"MissingId", R"({"kind":"missing_id","positions":[2]})", Leaves::kQuarantine},
            Case{"UnparsableDate", R"({"kind":"unparsable_date","positions":[2]})",
                 Leaves::kQuarantine},
            Case{"FutureDate", R"({"kind":"future_date","positions":[2]})", Leaves::kQuarantine},
            Case{"MissingField", R"({"kind":"missing_field","positions":[2]})",
                 Leaves::kQuarantine},
            Case{"TypeChange", R"({"kind":"type_change","positions":[2]})", Leaves::kQuarantine}),
        ::testing::Values("items", "by-offset", "by-token", "by-scroll", "by-url")),
    NameOf);

// What is not as the provider has it has to stand somewhere: in quarantine, by its id or as a part of a page; or in a
// slice that is not green and says why. Everything else was lost silently.
class Accounts {
 public:
  explicit Accounts(app::Store& store) : database_(testing::DatabaseOf(store)) {}

  std::int64_t Count(const std::string& sql) {
    return database_.Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }

  bool Explains(const sim::TruthEntry& entry) {
    const auto at = entry.updated.time_since_epoch().count();
    const auto covering = fmt::format("window_from <= {0} AND window_to > {0}", at);
    const bool is_named =
        Count(fmt::format("SELECT count(*) FROM ing_quarantine WHERE provider_item_id = '{}'",
                          entry.id)) > 0;
    // Of a record without an id it is known in which slice it was.
    const bool is_in_bad_slice = Count(
                                     "SELECT count(*) FROM ing_quarantine WHERE provider_item_id "
                                     "IS NULL AND slice_id IN (SELECT id "
                                     "FROM ing_plan_slice WHERE " +
                                     covering + ")") > 0;
    const bool is_in_gap =
        Count(
            "SELECT count(*) FROM ing_plan_slice AS slice JOIN ing_task AS task ON task.slice_id = "
            "slice.id WHERE " +
            covering +
            " AND slice.status_code <> 'SUCCEEDED' AND (slice.gap <> '' OR task.status_code = "
            "'QUEUED')") > 0;
    return is_named || is_in_bad_slice || is_in_gap;
  }

 private:
  infra::sql::Database& database_;
};

// Faults in the form in which every test strikes with them: hard enough to be felt, not so long that it waits.
std::string Scenario(std::string_view kind, const std::string& positions) {
  const std::string head = fmt::format(R"({{"kind":"{}","positions":[{}])", kind, positions);
  if (kind == "slow_drip") return head + R"(,"amount":8192,"delay":"5ms"})";
  if (kind == "latency") return head + R"(,"delay":"20ms"})";
  // One that strikes a walk from its first page to its last is a list that is so much shorter.
  if (kind == "shrink") return head + R"(,"times":1})";
  if (kind == "gzip_bomb") return head + R"(,"amount":64})";
  return head + "}";
}

// Several faults at once, on requests that they share and on others.
void Storm(const std::vector<std::string_view>& kinds, const std::string& endpoint) {
  static constexpr auto kPositions = std::to_array<const char*>({"2,5,6,11", "3,6,9,12"});
  Value::Array faults;
  std::string names;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    faults.push_back(*ParseJson(Scenario(kinds[i], kPositions[i % kPositions.size()])));
    names += std::string(kinds[i]) + " ";
  }
  SCOPED_TRACE(names + "on " + endpoint);
  testing::TemporaryFolder folder;
  testing::TestStores stores;
  auto simulator =
      sim::Simulator::Start({.seed = 9,
                             .size = 400,
                             .providers = {"rest"},
                             .begin = kBegin,
                             .now = kNow,
                             .late_by = boot::kDemoLatestArrival,
                             .enforce_limits = false,
                             .faults = Value::Object{{"seed", 1}, {"faults", faults}}});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  const auto engine = boot::Engine::Open(
      {.database = stores.At(folder.Path("patra.db")), .allow_loopback = true}, clock);
  ASSERT_TRUE(engine);
  auto spec = testing::SimRest(endpoint, (*simulator)->url(), kBegin);
  spec.window.width = spec.window.width_max = std::chrono::days(14);
  const auto summary = testing::Harvest(**engine, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  // What is parked gets its turn; what waits for a person does not.
  for (int i = 0; i < 20; ++i) {
    const auto more = (*engine)->work().Run({.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(more) << more.error().Describe();
    if (more->left == 0) break;
    clock.SleepFor(5min);
  }

  Accounts accounts((*engine)->store());
  const auto end = accounts.Count("SELECT max(window_to) FROM ing_plan_slice");
  const auto truth =
      (*simulator)
          ->Truth(endpoint == "by-ids" ? "rest" : "rest/deleted", kBegin, Instant(Duration(end)));
  ASSERT_TRUE(truth);
  int unexplained = 0;
  std::string example;
  while (const auto entry = (*truth)->Next()) {
    if (entry->silent) continue;
    const bool is_right =
        accounts.Count(fmt::format(
            "SELECT count(*) FROM ing_item WHERE provider_item_id = '{}' AND "
            "(deleted_at IS NOT NULL) = {} AND ({} OR content_hash = x'{}')",
            entry->id, entry->deleted ? 1 : 0, entry->deleted ? 1 : 0, entry->hash)) == 1;
    if (is_right || accounts.Explains(*entry)) continue;
    ++unexplained;
    example = entry->id;
  }
  EXPECT_EQ(unexplained, 0) << "such as " << example;
  // A slice that ended says itself why; about one that did not, somebody did something.
  const auto unfinished = accounts.Count(
      "SELECT count(*) FROM ing_plan_slice AS slice WHERE status_code NOT IN ('SUCCEEDED') AND "
      "coalesce(gap, '') = '' AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE "
      "child.parent_slice_id = slice.id)");
  const auto said = accounts.Count("SELECT count(*) FROM ing_heal_journal") +
                    accounts.Count("SELECT count(*) FROM ing_fuse");
  EXPECT_TRUE(unfinished == 0 || said > 0) << "the journal explains nothing";
}

constexpr auto kEndpoints =
    std::to_array<const char*>({"items", "by-offset", "by-token", "by-scroll", "by-url", "by-ids"});

bool RunsEverything() {
  const char* storms = std::getenv("PATRA_STORMS");  // NOLINT(concurrency-mt-unsafe)
  return storms != nullptr && std::string_view(storms) == "all";
}

// Every kind that the simulator knows, whatever is tested above.
TEST(Storms, EveryKindAloneLeavesNothingUnexplained) {
  int next = 0;
  for (const auto& info : sim::AllFaultKinds()) {
    for (std::size_t i = 0; i < (RunsEverything() ? kEndpoints.size() : 1); ++i) {
      Storm({info.name}, kEndpoints[static_cast<std::size_t>(next++) % kEndpoints.size()]);
      if (HasFailure()) return;
    }
  }
}

// `make test` pairs every kind with two others; PATRA_STORMS=all (make torture) plays every pair on every endpoint.
TEST(Storms, PairsLeaveNothingUnexplained) {
  const auto kinds = sim::AllFaultKinds();
  int next = 0;
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (std::size_t b = a + 1; b < kinds.size(); ++b) {
      const bool is_chosen = b - a == kinds.size() / 2;
      if (!is_chosen && !RunsEverything()) continue;
      for (std::size_t i = 0; i < (RunsEverything() ? kEndpoints.size() : 1); ++i) {
        Storm({kinds[a].name, kinds[b].name},
              kEndpoints[static_cast<std::size_t>(next++) % kEndpoints.size()]);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace patra::faults_test
