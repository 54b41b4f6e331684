#include "domain/retention/archive_text.h"

#include <gmock/gmock.h>

namespace patra::domain::archive_text_test {

using ::testing::ElementsAre;

const std::vector<ArchiveLine> kLines{{7, R"({"a":1})"}, {9, R"({"a":2})"}};

std::string Text() { return ArchiveTextOf(ArchivedKind::kBatches, "demo", kLines); }

TEST(ArchiveText, EveryRowIsFoundByItsId) {
  const auto read = ArchiveText::Read(Text());
  ASSERT_TRUE(read) << read.error().Describe();
  EXPECT_THAT(read->ids(), ElementsAre(7, 9));
  EXPECT_EQ(read->RowOf(7), R"({"a":1})");
  EXPECT_EQ(read->RowOf(9), R"({"a":2})");
  EXPECT_EQ(read->RowOf(8), "");
}

TEST(ArchiveText, MayBeOfNoRows) {
  const auto read = ArchiveText::Read(ArchiveTextOf(ArchivedKind::kRawPages, "demo", {}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->ids().empty());
}

// However it was cut off or added to, it is noticed.
TEST(ArchiveText, WhatIsNotWholeIsRefused) {
  const auto whole = Text();
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(ArchiveText::Read(whole.substr(0, length))) << length;
  EXPECT_FALSE(ArchiveText::Read(whole + "{}\n"));
  auto twice = whole;
  twice.replace(twice.find("\"9\""), 3, "\"7\"");
  EXPECT_FALSE(ArchiveText::Read(twice));
  auto newer = whole;
  newer.replace(newer.find("\"archive\":1"), 11, "\"archive\":2");
  EXPECT_EQ(ArchiveText::Read(newer).error().code, ErrorCode::kCorruption);
}

TEST(ArchiveText, LocationsStayBelowTheFolder) {
  const Instant at{std::chrono::sys_days{std::chrono::year{2026} / 3 / 4}};
  EXPECT_EQ(ArchiveLocation(ArchivedKind::kRawPages, "sim-rest", at, 12),
            "sim-rest/pages-2026-03-04-12.jsonl.zst");
  EXPECT_EQ(ArchiveLocation(ArchivedKind::kCursorEvents, "../../etc", at, 12),
            "______etc/events-2026-03-04-12.jsonl.zst");
  EXPECT_EQ(ArchiveLocation(ArchivedKind::kBatches, "", at, 12),
            "_/batches-2026-03-04-12.jsonl.zst");
}

}  // namespace patra::domain::archive_text_test
