// Every hash of a harvest's account is that of what stands beside it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/plan/provenance_config.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"

namespace patra::hashes_test {

using namespace std::chrono_literals;
using std::chrono::days;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class Hashes : public testing::SimWorld, public ::testing::Test {
 protected:
  void Harvest(const std::string& endpoint) {
    Start({.seed = 5, .size = 400, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    auto spec = testing::SimRest(endpoint, simulator_->url(), kBegin);
    spec.window.width = spec.window.width_max = days(20);
    spec.paging.size = 20;
    // So that slices are cut, and those that take over have hashes, too.
    spec.paging.reach = 60;
    app::PlanOptions options;
    options.origin.params = Value::Object{{"target", "sim-rest"}, {"maxRequests", 1000}};
    const auto planned =
        app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec, .options = options});
    ASSERT_TRUE(planned) << planned.error().Describe();
    const auto worked = engine_->work().Run({.workers = 0, .drain = true}, [](const auto&) {});
    ASSERT_TRUE(worked) << worked.error().Describe();
  }

  // Calls `check` for every row; how many there were.
  template <typename Check>
  int ForEach(const std::string& sql, const Check& check) {
    int count = 0;
    const auto read = testing::DatabaseOf(engine_->store())
                          .Read([&](infra::sql::Session& session) -> Result<void> {
                            auto rows = PATRA_TRY(session.Query(sql));
                            while (PATRA_TRY(rows.Next())) {
                              check(rows);
                              ++count;
                            }
                            return {};
                          });
    EXPECT_TRUE(read) << read.error().Describe();
    return count;
  }
};

TEST_F(Hashes, OfPlansSlicesTasksAndBatchesAreThoseOfWhatStandsBesideThem) {
  Harvest("items");
  using infra::sql::Rows;
  const auto plans = ForEach(
      "SELECT expr_proto_snapshot, spec_fingerprint, expr_proto_hash, provenance_config_snapshot, "
      "provenance_config_hash, query_hash FROM ing_plan LIMIT 100",
      [](const Rows& row) {
        const auto snapshot = row.Text("expr_proto_snapshot");
        const auto spec = *domain::SpecSnapshot::FromValue(*ParseJson(snapshot));
        EXPECT_EQ(row.Text("spec_fingerprint"), Sha256Hex(snapshot));
        EXPECT_EQ(row.Text("spec_fingerprint"), domain::SpecFingerprint(spec));
        EXPECT_EQ(row.Text("expr_proto_hash"), domain::ExprPrototypeHash(spec));
        const auto config = row.Text("provenance_config_snapshot");
        EXPECT_EQ(row.Text("provenance_config_hash"), Sha256Hex(config));
        EXPECT_EQ(config, domain::ProvenanceConfig(spec));
        EXPECT_NE(config, snapshot);
        EXPECT_EQ(row.Text("query_hash"), domain::QueryHash(spec.query));
      });
  EXPECT_EQ(plans, 1);

  int cut = 0;
  const auto tasks = ForEach(
      "SELECT slice.slice_spec, slice.expr_snapshot, slice.expr_hash, slice.slice_signature_hash, "
      "slice.parent_slice_id, task.expr_hash AS task_expr_hash, task.params, task.idempotent_key, "
      "plan.plan_key, plan.provenance_code, plan.endpoint_name, plan.operation_code "
      "FROM ing_plan_slice AS slice JOIN ing_task AS task ON task.slice_id = slice.id "
      "JOIN ing_plan AS plan ON plan.id = slice.plan_id LIMIT 1000",
      [&](const Rows& row) {
        if (!row.IsNull("parent_slice_id")) ++cut;
        EXPECT_EQ(row.Text("expr_hash"), Sha256Hex(row.Text("expr_snapshot")));
        EXPECT_EQ(row.Text("task_expr_hash"), row.Text("expr_hash"));
        const auto spec = *domain::SliceSpec::FromValue(*ParseJson(row.Text("slice_spec")));
        const auto expression = *ParseJson(row.Text("expr_snapshot"));
        EXPECT_EQ(*expression.Find("slice"), spec.Identity());
        EXPECT_EQ(*expression.Find("values")->Find("window")->Find("from"),
                  Value(FormatRfc3339(spec.window.from())));
        EXPECT_NE(expression.Find("requests")->Find("search"), nullptr);
        const Value signature = Value::Object{{"provenance", row.Text("provenance_code")},
                                              {"endpoint", row.Text("endpoint_name")},
                                              {"operation", row.Text("operation_code")},
                                              {"exprHash", row.Text("expr_hash")},
                                              {"spec", spec.Identity()}};
        EXPECT_EQ(row.Text("slice_signature_hash"), Sha256Hex(CanonicalJson(signature)));
        const Value key = Value::Object{{"plan", row.Text("plan_key")},
                                        {"slice", row.Text("slice_signature_hash")},
                                        {"params", row.Text("params")}};
        EXPECT_EQ(row.Text("idempotent_key"), Sha256Hex(CanonicalJson(key)));
        EXPECT_EQ(domain::WishesIn(row.Text("params")),
                  Value(Value::Object{{"target", "sim-rest"}, {"maxRequests", 1000}}))
            << "also of those that take over";
      });
  EXPECT_GT(tasks, 3);
  EXPECT_GT(cut, 0);
  EXPECT_EQ(
      Count("SELECT count(*) FROM ing_task_run_batch AS batch JOIN ing_plan_slice AS slice ON "
            "slice.id = batch.slice_id WHERE batch.expr_hash <> slice.expr_hash"),
      0);
  EXPECT_GT(Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED' AND "
                  "page_size = 20"),
            0);
}

TEST_F(Hashes, OfTokensAreThoseOfTheirTexts) {
  Harvest("by-token");
  const auto tokens = ForEach(
      "SELECT before_token, before_token_hash FROM ing_task_run_batch "
      "WHERE before_token_hash IS NOT NULL LIMIT 1000",
      [](const infra::sql::Rows& row) {
        EXPECT_EQ(row.Text("before_token_hash"), Sha256Hex(row.Text("before_token")));
      });
  EXPECT_GT(tokens, 0);
}

}  // namespace patra::hashes_test
