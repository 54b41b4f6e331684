#include "domain/plan/provenance_config.h"

#include <gtest/gtest.h>

#include "base/value.h"

namespace patra::domain::provenance_config_test {

TEST(ProvenanceConfig, HasWhatDoesNotShapeRequestsAndNothingElse) {
  SpecSnapshot spec;
  spec.provenance = "demo";
  spec.endpoint = "items";
  spec.http.path = "/items";
  const auto config = *ParseJson(ProvenanceConfig(spec));
  EXPECT_NE(config.Find("retry"), nullptr);
  EXPECT_NE(config.Find("rateLimits"), nullptr);
  ASSERT_NE(config.Find("window"), nullptr);
  EXPECT_NE(config.Find("window")->Find("safetyLag"), nullptr);
  EXPECT_EQ(config.Find("response"), nullptr);
  EXPECT_EQ(*config.Find("provenance")->AsString(), "demo");
  EXPECT_EQ(ProvenanceConfig(spec).find("/items"), std::string::npos);
}

TEST(ProvenanceConfig, ChangesWithTheConfigurationAndNotWithTheExpression) {
  SpecSnapshot spec;
  auto other_path = spec;
  other_path.http.path = "/elsewhere";
  EXPECT_EQ(ProvenanceConfig(other_path), ProvenanceConfig(spec));
  auto other_retry = spec;
  other_retry.retry.attempts_max += 1;
  EXPECT_NE(ProvenanceConfig(other_retry), ProvenanceConfig(spec));
}

}  // namespace patra::domain::provenance_config_test
