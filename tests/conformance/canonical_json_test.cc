// RFC 8785 canonical JSON against the vectors of its test suite.
#include "base/canonical_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/conformance/shared.h"

namespace patra::canonical_json_test {

class Rfc8785 : public ::testing::TestWithParam<const char*> {};

TEST_P(Rfc8785, CanonicalisesTheVectorToTheByte) {
  const auto folder = testing::SharedFolder() / "conformance";
  SKIP_WITHOUT_SHARED(folder);
  const auto input = testing::ReadFile(folder / fmt::format("jcs-{}.in.json", GetParam()));
  auto expected = testing::ReadFile(folder / fmt::format("jcs-{}.out.json", GetParam()));
  if (expected.ends_with('\n')) expected.pop_back();

  const auto canonical = CanonicalizeJson(input);

  ASSERT_TRUE(canonical) << canonical.error().Describe();
  EXPECT_EQ(*canonical, expected);
}

INSTANTIATE_TEST_SUITE_P(Vectors, Rfc8785,
                         ::testing::Values("arrays", "french", "structures", "values"),
                         [](const auto& vector) { return std::string(vector.param); });

}  // namespace patra::canonical_json_test
