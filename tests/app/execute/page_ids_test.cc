#include "app/execute/page_ids.h"

#include <set>

#include <gtest/gtest.h>

namespace patra::app::page_ids_test {

domain::PageContent PageOf(const std::string& id) {
  domain::PageContent page;
  page.records.push_back({.id = id});
  page.bad_records = {{.rule = "required"}, {.rule = "required"}, {.bytes = "{}"}, {.bytes = "{}"}};
  return page;
}

TEST(PageIds, NullsAmongTheRecordsAreNoRecordThatCameAgain) {
  auto ids = IdsOf(PageOf("a"));
  const auto again = IdsOf(PageOf("a"));
  EXPECT_EQ(ids, again) << "a page that looks the same is the same";
  const auto other = IdsOf(PageOf("b"));
  ids.insert(ids.end(), other.begin(), other.end());
  const std::set<std::string> different(ids.begin(), ids.end());
  EXPECT_EQ(ids.size() - different.size(), 3u) << "what is written out is the same record";
}

}  // namespace patra::app::page_ids_test
