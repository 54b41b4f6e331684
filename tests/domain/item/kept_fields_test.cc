#include "domain/item/kept_fields.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/random.h"

namespace patra::domain::kept_fields_test {

using namespace std::chrono_literals;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
const std::vector<std::string> kKept{"abstract", "doi"};

FoldedFields Arrival(Duration updated, Value::Object fields) {
  FoldedFields arrival{.fields = std::move(fields)};
  arrival.version = {.updated_at = kDay + updated,
                     .fetched_at = kDay,
                     .content_hash = Sha256(CanonicalJson(Value(arrival.fields)))};
  return arrival;
}

TEST(KeptFields, AnEmptyValueKeepsWhatIsThere) {
  const auto full = Arrival(1h, {{"title", "a"}, {"abstract", "text"}});
  for (const auto& empty : {Value(), Value(""), Value(Value::Array{}), Value(Value::Object{})}) {
    const auto folded = Fold(full, Arrival(2h, {{"title", "b"}, {"abstract", empty}}), kKept);
    EXPECT_EQ(folded.fields.at("abstract"), Value("text"));
    EXPECT_EQ(folded.fields.at("title"), Value("b"));
  }
}

TEST(KeptFields, OtherFieldsGoWhenTheyAreEmpty) {
  const auto folded =
      Fold(Arrival(1h, {{"title", "a"}, {"year", 2020}}), Arrival(2h, {{"title", "b"}}), kKept);
  EXPECT_FALSE(folded.fields.contains("year"));
}

TEST(KeptFields, ALateArrivalFillsWhatNewerVersionsLeftEmpty) {
  const auto newest = Arrival(3h, {{"title", "c"}});
  const auto folded = Fold(newest, Arrival(1h, {{"title", "a"}, {"doi", "x"}}), kKept);
  EXPECT_EQ(folded.version, newest.version);
  EXPECT_EQ(folded.fields.at("title"), Value("c"));
  EXPECT_EQ(folded.fields.at("doi"), Value("x"));
  // One in between knows it better than the oldest, and the oldest no more than one in between.
  const auto between = Arrival(2h, {{"title", "b"}, {"doi", "y"}});
  EXPECT_EQ(Fold(folded, between, kKept).fields.at("doi"), Value("y"));
  EXPECT_EQ(Fold(Fold(newest, between, kKept), Arrival(1h, {{"doi", "x"}}), kKept).fields.at("doi"),
            Value("y"));
}

TEST(KeptFields, WhereNothingOlderIsKeptNothingIsRemembered) {
  const auto folded = Fold(Arrival(1h, {{"doi", "x"}}), Arrival(2h, {{"doi", "y"}}), kKept);
  EXPECT_FALSE(KeptValue(folded));
}

// I7 for records with kept fields: the table depends on the set of versions, not on their order.
TEST(KeptFields, EveryOrderOfArrivalsFoldsToTheSame) {
  SeededRandom random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<FoldedFields> arrivals;
    for (int i = 0; i < 5; ++i) {
      Value::Object fields{{"title", std::string(1, static_cast<char>('a' + i))}};
      for (const auto& name : kKept) {
        if (random.Below(2) == 0) fields.emplace(name, static_cast<std::int64_t>(i));
      }
      // Versions may have the same time; a deletion is a version like any other.
      arrivals.push_back(Arrival(random.Below(4) * 1h, std::move(fields)));
      arrivals.back().version.deleted = random.Below(5) == 0;
    }
    std::vector<std::size_t> order(arrivals.size());
    std::iota(order.begin(), order.end(), 0);
    std::optional<FoldedFields> expected;
    do {
      auto folded = arrivals[order.front()];
      for (const auto i : order) {
        // Through the store and back, and every arrival twice.
        folded = Fold(Fold(folded, arrivals[i], kKept), arrivals[i], kKept);
        FoldedFields stored{.version = folded.version, .fields = folded.fields};
        if (const auto kept = KeptValue(folded)) {
          stored.version.content_hash = Sha256("of the folded fields");
          ASSERT_TRUE(ReadKept(*ParseJson(CanonicalJson(*kept)), stored));
        }
        ASSERT_EQ(stored, folded);
      }
      if (!expected) expected = folded;
      ASSERT_EQ(folded, *expected) << round;
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST(KeptFields, WhatCannotBeReadIsSaid) {
  FoldedFields into;
  for (const auto* text : {R"({})", R"({"own":"h"})", R"({"own":"h","since":{"a":["1"]}})",
                           R"({"own":"h","since":{"a":["x","0","0","0","h",false]}})"}) {
    EXPECT_FALSE(ReadKept(*ParseJson(text), into)) << text;
  }
}

}  // namespace patra::domain::kept_fields_test
