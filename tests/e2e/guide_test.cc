// Every definition of docs/definitions.md harvests from the simulator what it says.
#include <fstream>

#include <gtest/gtest.h>

#include "domain/spec/definition_examples.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/run_harvest.h"

namespace patra::guide_test {

using namespace std::chrono_literals;

const Instant kGuideBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
const Instant kGuideNow{std::chrono::sys_days{std::chrono::year{2025} / 8 / 1}};

class Guide : public testing::SimWorld, public ::testing::Test {
 protected:
  void HarvestWith(const domain::DefinitionExample& example) {
    SCOPED_TRACE(example.title);
    Start({.seed = 5, .size = 400, .providers = {"rest"}, .begin = kGuideBegin, .now = kGuideNow});
    std::ofstream(folder_.Path("example.yaml")) << example.yaml;
    const std::string yaml(example.yaml);
    const auto source = yaml.substr(8, yaml.find('\n') - 8);
    auto spec = testing::CompiledIn(folder_.Path(""), source, simulator_->url());
    const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(summary->complete())
        << (summary->work.first_error ? summary->work.first_error->Describe() : "");
    EXPECT_GT(Count("SELECT count(*) FROM ing_item"), 50);
    EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine"), 0);
  }
};

TEST_F(Guide, EveryDefinitionFromTenLinesOnBringsRecords) {
  for (const auto& example : domain::FirstDefinitions()) HarvestWith(example);
}

TEST_F(Guide, EveryWayOfPagingBringsRecords) {
  for (const auto& example : domain::PagingDefinitions()) HarvestWith(example);
}

}  // namespace patra::guide_test
