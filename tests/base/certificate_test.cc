#include "base/certificate.h"

#include <gtest/gtest.h>

#include "tests/made_certificate.h"

namespace patra::certificate_test {

const Instant kBegins = *ParseRfc3339("2026-01-01T00:00:00Z");
const Instant kEnds = *ParseRfc3339("2026-04-01T00:00:00Z");

TEST(Certificate, SaysFromWhenToWhenItIsValid) {
  const auto made = testing::MakeCertificate(kBegins, kEnds);
  const auto life = LifeOfCertificate(made.certificate);
  ASSERT_TRUE(life) << life.error().Describe();
  EXPECT_EQ(life->begins, kBegins);
  EXPECT_EQ(life->ends, kEnds);
}

TEST(Certificate, OnlyItsOwnKeyIsItsKey) {
  const auto made = testing::MakeCertificate(kBegins, kEnds);
  const auto other = testing::MakeCertificate(kBegins, kEnds);
  EXPECT_EQ(IsKeyOf(made.key, made.certificate), true);
  EXPECT_EQ(IsKeyOf(other.key, made.certificate), false);
}

TEST(Certificate, WhatIsNoneIsAnError) {
  const auto made = testing::MakeCertificate(kBegins, kEnds);
  for (const std::string& bytes :
       {std::string(), std::string("nothing"), made.key,
        std::string("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
        made.certificate.substr(0, made.certificate.size() / 2)})
    EXPECT_FALSE(LifeOfCertificate(bytes)) << bytes;
  EXPECT_FALSE(IsKeyOf(made.certificate, made.certificate));
  EXPECT_FALSE(IsKeyOf(made.key, made.key));
}

}  // namespace patra::certificate_test
