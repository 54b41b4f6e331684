#include "base/base64.h"

#include <gtest/gtest.h>

namespace patra::base64_test {

TEST(Base64, WhatWasWrittenIsReadBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(FromBase64(Base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 7);
  }
  const std::string large((std::size_t{13} << 20) + 1, '\xfe');
  EXPECT_EQ(FromBase64(Base64(large)), large);
}

TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(FromBase64("Zm9vYg=="), "foob");
}

TEST(Base64, WhatNobodyWritesIsRefused) {
  for (const auto* text : {"Zg", "Z===", "Zm9vYg==Zm9v", " Zm9v", "Zm9v\n", "Zh==", "Z-_v", "===="})
    EXPECT_EQ(FromBase64(text), std::nullopt) << text;
}

}  // namespace patra::base64_test
