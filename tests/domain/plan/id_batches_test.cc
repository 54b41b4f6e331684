// How ids of the second phase are joined into requests.
#include "domain/plan/id_batches.h"

#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::id_batches_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Ids(int count) {
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) ids.push_back(fmt::format("id{:04}", i));
  return ids;
}

TEST(IdBatches, FewerThanTheThresholdAreAskedForOneByOne) {
  const DetailSpec details{.id_batch_size = 4, .threshold = 3};
  EXPECT_THAT(JoinIds(details, {"a", "b", "c", "d", "e", "f"}),
              ElementsAre(ElementsAre("a", "b", "c", "d"), ElementsAre("e"), ElementsAre("f")));
  EXPECT_THAT(JoinIds(details, {"a", "b", "c", "d", "e", "f", "g"}),
              ElementsAre(ElementsAre("a", "b", "c", "d"), ElementsAre("e", "f", "g")));
  EXPECT_THAT(JoinIds(details, {}), IsEmpty());
}

TEST(IdBatches, WithoutAThresholdEveryRestIsOneRequest) {
  EXPECT_THAT(JoinIds({.id_batch_size = 4}, {"a", "b", "c", "d", "e"}),
              ElementsAre(ElementsAre("a", "b", "c", "d"), ElementsAre("e")));
  EXPECT_EQ(IdsOfNextRequest({.id_batch_size = 4}, 0), 0);
}

TEST(IdBatches, NoIdIsLeftOutAndThePriceIsWhatIsAsked) {
  for (const std::int64_t batch : {1, 3, 7}) {
    for (std::int64_t threshold = 1; threshold <= batch; ++threshold) {
      for (int count = 0; count < 30; ++count) {
        const DetailSpec details{.id_batch_size = batch, .threshold = threshold};
        const auto requests = JoinIds(details, Ids(count));
        std::vector<std::string> asked;
        for (const auto& ids : requests) asked.insert(asked.end(), ids.begin(), ids.end());
        EXPECT_EQ(asked, Ids(count));
        EXPECT_EQ(RequestsForIds(details, count), static_cast<std::int64_t>(requests.size()))
            << count << " ids, " << batch << " a request, joined from " << threshold << " on";
      }
    }
  }
}

TEST(IdBatches, WhatAnswersLackedWaitsForEnoughOfThem) {
  EXPECT_TRUE(AreWorthARequest({}, 1)) << "at once, where nothing is said";
  EXPECT_FALSE(AreWorthARequest({.combine_threshold = 3}, 2));
  EXPECT_TRUE(AreWorthARequest({.combine_threshold = 3}, 3));
}

}  // namespace patra::domain::id_batches_test
