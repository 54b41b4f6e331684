#include "infra/mysql/localise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sql/session.h"

namespace patra::infra::mysql::localise_test {

using ::testing::ElementsAre;

TEST(Localise, PutsAPlaceWhereAParameterIsNamed) {
  const auto localised = Localise("SELECT a FROM t WHERE b = :b AND c = ':no' AND d < :d2");
  EXPECT_EQ(localised.text, "SELECT a FROM t WHERE b = ? AND c = ':no' AND d < ?");
  EXPECT_THAT(localised.names, ElementsAre("b", "d2"));
}

TEST(Localise, TellsTheLargerOfTwoFromTheLargestOfAll) {
  EXPECT_EQ(Localise("SELECT max(a), max(a, coalesce(b, 0)), min(c - 1, 0) FROM t").text,
            "SELECT max(a), GREATEST(a, coalesce(b, 0)), LEAST(c - 1, 0) FROM t");
  EXPECT_EQ(Localise("SELECT max(coalesce(a, 0)) FROM t").text,
            "SELECT max(coalesce(a, 0)) FROM t");
}

TEST(Localise, SaysIndexesTypesAndAbsenceInOtherWords) {
  EXPECT_EQ(Localise("SELECT CAST(id AS TEXT) FROM t AS a INDEXED BY idx_a WHERE b IS :b").text,
            "SELECT CAST(id AS CHAR) FROM t AS a FORCE INDEX (idx_a) WHERE b <=> ?");
  EXPECT_EQ(Localise("SELECT a AS text, b IS NULL FROM t").text,
            "SELECT a AS text, b IS NULL FROM t");
}

TEST(Localise, TakesExtractedTextsOutOfTheirQuotationMarks) {
  EXPECT_EQ(Localise("SELECT coalesce(json_extract(a, '$.b'), 'x') FROM t").text,
            "SELECT coalesce(JSON_UNQUOTE(JSON_EXTRACT(a, '$.b')), 'x') FROM t");
}

TEST(Localise, KnowsARowThatMayBeThereAlready) {
  const auto skips = Localise("INSERT INTO t (a, b) VALUES (:a, :b) ON CONFLICT (a) DO NOTHING");
  EXPECT_EQ(skips.text, "INSERT INTO t (a, b) VALUES (?, ?) ");
  EXPECT_TRUE(skips.skips_duplicates);
  const auto updates = Localise(
      "INSERT INTO t (a, b) VALUES (:a, :b) ON CONFLICT (a) WHERE c = 'X' "
      "DO UPDATE SET b = max(b, excluded.b)");
  EXPECT_EQ(
      updates.text,
      "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = GREATEST(b, VALUES(b)  )");
  EXPECT_TRUE(updates.updates_duplicates);
  EXPECT_EQ(
      Localise("INSERT INTO t (a) SELECT b FROM u WHERE c = :c ON CONFLICT (a) DO NOTHING").text,
      "INSERT INTO t (a) SELECT b FROM u WHERE c = ? ON DUPLICATE KEY UPDATE t.a = t.a");
}

TEST(Localise, RepeatsTheRowOfAnInsert) {
  const auto insert = Localise(
      "INSERT INTO t (a, b)\n    VALUES (:a, coalesce(:b, 1)) ON CONFLICT (a) DO UPDATE SET b = 2");
  EXPECT_EQ(insert.For({.rows = 2}),
            "INSERT INTO t (a, b)\n    VALUES (?, coalesce(?, 1)), (?, coalesce(?, 1)) "
            "ON DUPLICATE KEY UPDATE b = 2");
}

TEST(Localise, AsksAQuerySeveralTimesAtOnce) {
  const auto query = Localise("SELECT CAST(:n AS INTEGER) AS n FROM t WHERE a = :a LIMIT 1");
  EXPECT_EQ(query.For({.rows = 2}),
            "(SELECT CAST(? AS SIGNED) AS n FROM t WHERE a = ? LIMIT 1) UNION ALL "
            "(SELECT CAST(? AS SIGNED) AS n FROM t WHERE a = ? LIMIT 1)");
  EXPECT_EQ(query.PlacesFor({.rows = 2}), 4U);
}

TEST(Localise, MakesAListAsLongAsIsAskedFor) {
  const auto change = Localise(sql::WithList("UPDATE t SET a = max(a, :a) WHERE b IN"));
  EXPECT_EQ(change.For({.list = 3}), "UPDATE t SET a = GREATEST(a, ?) WHERE b IN (?,?,?)");
  EXPECT_EQ(change.PlacesFor({.list = 3}), 4U);
}

TEST(Localise, LeavesCommentsOut) {
  EXPECT_EQ(Localise("SELECT a -- it's :b\nFROM t").text, "SELECT a \nFROM t");
}

}  // namespace patra::infra::mysql::localise_test
