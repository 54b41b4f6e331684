// The shipped definition of the simulator's REST source, ready for a test: no rate to wait for, a lag that
// is longer than records are late.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "app/source/sources.h"
#include "base/value.h"
#include "infra/definitions/yaml_files.h"

namespace patra::testing {

inline domain::SpecSnapshot Shipped(const std::string& target, const std::string& base_url,
                                    Instant begin) {
  using namespace std::chrono_literals;
  infra::definitions::YamlFiles files;
  app::Sources sources(files, std::string(PATRA_SOURCE_DIR) + "/sources");
  const auto compiled =
      sources.Compile(target, {"http.base_url=" + base_url, "http.allow_http=true",
                               "window.start=" + FormatRfc3339(begin)});
  EXPECT_TRUE(compiled && compiled->problems.empty())
      << (compiled ? compiled->problems.front().Describe() : compiled.error().Describe());
  auto spec = *domain::SpecSnapshot::FromValue(*ParseJson(compiled->snapshot));
  spec.limits = {{.rate = domain::RateSpec{.requests = 1000, .per = 1s}}};
  if (spec.details) spec.details->limits = spec.limits;
  spec.window.safety_lag = std::max(spec.window.safety_lag, Duration(2h));
  return spec;
}

// The first endpoint of a definition that lies in a folder of the test's own.
inline domain::SpecSnapshot CompiledIn(const std::string& folder, const std::string& source,
                                       const std::string& base_url) {
  using namespace std::chrono_literals;
  infra::definitions::YamlFiles files;
  app::Sources sources(files, folder);
  const auto compiled = sources.Compile(source, {"http.base_url=" + base_url});
  EXPECT_TRUE(compiled && compiled->problems.empty())
      << (compiled ? compiled->problems.front().Describe() : compiled.error().Describe());
  auto spec = *domain::SpecSnapshot::FromValue(*ParseJson(compiled->snapshot));
  spec.limits = {{.rate = domain::RateSpec{.requests = 1000, .per = 1s}}};
  if (spec.details) spec.details->limits = spec.limits;
  return spec;
}

inline domain::SpecSnapshot SimRest(const std::string& endpoint, const std::string& url,
                                    Instant begin) {
  return Shipped("sim-rest/" + endpoint, url, begin);
}

}  // namespace patra::testing
