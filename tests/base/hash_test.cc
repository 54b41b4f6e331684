#include "base/hash.h"

#include <gtest/gtest.h>

namespace patra::hash_test {

TEST(Sha256, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, StreamGivesTheSameDigestWhereverTheBytesAreCut) {
  const std::string bytes(1000, 'x');
  for (const std::size_t cut : {0u, 1u, 63u, 64u, 65u, 999u, 1000u}) {
    Sha256Stream stream;
    stream.Append(std::string_view(bytes).substr(0, cut));
    stream.Append(std::string_view(bytes).substr(cut));
    EXPECT_EQ(stream.FinishHex(), Sha256Hex(bytes)) << "cut at " << cut;
  }
}

TEST(Sha256, StreamStartsAfreshAfterItFinished) {
  Sha256Stream stream;
  stream.Append("abc");
  (void)stream.FinishHex();
  EXPECT_EQ(stream.FinishHex(), Sha256Hex(""));
}

TEST(Sha256, IsReadBackFromHex) {
  const auto digest = Sha256("abc");
  EXPECT_EQ(DigestFromHex(ToHex(digest)), digest);
  EXPECT_EQ(DigestFromHex("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
            digest);
  for (const auto& other : {std::string(), std::string("ba"), std::string(63, 'a'),
                            std::string(65, 'a'), std::string(64, 'g'), std::string(64, ' ')}) {
    EXPECT_EQ(DigestFromHex(other), std::nullopt) << other;
  }
}

TEST(HmacSha256, AgreesWithRfc4231) {
  EXPECT_EQ(HmacSha256Hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(HmacSha256Hex(std::string(131, '\xaa'),
                          "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(EqualInConstantTime, ComparesContentAndLength) {
  EXPECT_TRUE(EqualInConstantTime("secret", "secret"));
  EXPECT_FALSE(EqualInConstantTime("secret", "secreT"));
  EXPECT_FALSE(EqualInConstantTime("secret", "secret "));
}

}  // namespace patra::hash_test
