#include "domain/item/gone.h"

#include <gtest/gtest.h>

namespace patra::domain::gone_test {

using namespace std::chrono_literals;

const Instant kSeen{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

StoredItem Stored() {
  return {.row = 7,
          .version = {.updated_at = kSeen - 24h * 365, .fetched_at = kSeen},
          .fields = R"({"title":"x"})"};
}

TEST(Gone, IsNotConcludedFromAListThatWasNotTakenInWhole) {
  EXPECT_FALSE(WhyNotGone({.named = 10, .missing = 2}));
  EXPECT_TRUE(WhyNotGone({.named = 10, .missing = 2, .outside = 1}));
  EXPECT_TRUE(WhyNotGone({.named = 10, .missing = 2, .met_nameless = true}));
  EXPECT_FALSE(WhyNotGone({.named = 10, .met_nameless = true})) << "nothing is missing";
}

TEST(Gone, MoreThanHalfAtOnceIsTooMuchUnlessTheyAreFew) {
  EXPECT_FALSE(IsTooMuchAtOnce({.named = 1, .missing = 3}));
  EXPECT_FALSE(IsTooMuchAtOnce({.named = 100, .missing = 90}));
  EXPECT_TRUE(IsTooMuchAtOnce({.named = 10, .missing = 11}));
  EXPECT_TRUE(IsTooMuchAtOnce({.named = 100, .named_last = 100, .missing = 55}))
      << "as long as before, with other ids";
  EXPECT_FALSE(IsTooMuchAtOnce({.named = 60, .named_last = 100, .missing = 40}));
}

TEST(Gone, AWalkThatLacksAsMuchAgainOfWhatTheLastOneNamedConfirmsNothing) {
  EXPECT_TRUE(CanConfirm({.named = 30, .missing = 70, .newly_missing = 0}));
  EXPECT_TRUE(CanConfirm({.named = 29, .missing = 71, .newly_missing = 1}));
  EXPECT_FALSE(CanConfirm({.named = 10, .missing = 90, .newly_missing = 20}));
  EXPECT_FALSE(CanConfirm({.named = 0, .missing = 100, .newly_missing = 30}));
  EXPECT_TRUE(CanConfirm({.named = 0, .missing = 100, .newly_missing = 0}));
}

TEST(Gone, AListThatNamesNothingAnyMoreIsTooMuchHoweverShortItWas) {
  EXPECT_TRUE(IsTooMuchAtOnce({.named = 0, .missing = 1}));
  EXPECT_FALSE(IsTooMuchAtOnce({.named = 0, .missing = 0}));
  EXPECT_NE(WhyNextTells({.named = 0, .missing = 1}, 0, "shop/things").find("shop/things"),
            std::string::npos);
}

TEST(Gone, ATombstoneIsNewerThanWhatWasSeenBeforeTheWalkAndOlderThanWhatIsSeenLater) {
  const auto tombstone = TombstoneOf("a", Stored(), kSeen + 1h, kSeen + 2h);
  EXPECT_EQ(tombstone.fields, Stored().fields);
  EXPECT_EQ(tombstone.gone_at, kSeen + 2h);
  const auto stored = Stored();
  EXPECT_EQ(DecideOverwrite(&stored.version, tombstone.version).outcome, Overwrite::kUpdate);

  auto later = Stored();
  later.version.fetched_at = kSeen + 90min;
  EXPECT_EQ(DecideOverwrite(&later.version, tombstone.version).outcome, Overwrite::kStale)
      << "somebody saw it since the walk began";
  EXPECT_EQ(DecideOverwrite(&tombstone.version, later.version).outcome, Overwrite::kUpdate)
      << "it is back, be it the same version";
}

}  // namespace patra::domain::gone_test
