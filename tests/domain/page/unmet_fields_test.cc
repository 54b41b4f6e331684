#include "domain/page/unmet_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::unmet_fields_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Record With(const std::string& fields, bool is_deleted = false) {
  Record record{.id = "a", .fields = fields};
  record.version.deleted = is_deleted;
  return record;
}

TEST(UnmetFields, AreThoseThatNoRecordHas) {
  const std::vector<FieldSpec> fields{{.name = "title", .path = "$.titel"},
                                      {.name = "rare", .path = "$.rare"}};
  UnmetFields unmet(fields);
  unmet.Look(std::vector{With("{}"), With(R"({"rare":1})", true)});
  EXPECT_THAT(unmet.fields(), SizeIs(2));
  EXPECT_EQ(unmet.records(), 1) << "a tombstone tells nothing";
  unmet.Look(std::vector{With(R"({"rare":1})")});
  ASSERT_THAT(unmet.fields(), SizeIs(1));
  EXPECT_THAT(unmet.Describe(), HasSubstr("none of 2 records has 'title' ($.titel)"));
  unmet.Look(std::vector{With(R"({"title":"t"})")});
  EXPECT_THAT(unmet.fields(), IsEmpty());
}

TEST(UnmetFields, WhatStandsThereInsteadIsNamed) {
  const FieldSpec field{.name = "title", .path = "$.titel"};
  EXPECT_THAT(WhyUnmet(field, R"({"id":"a","title":"t"})"), HasSubstr("did you mean 'title'"));
  EXPECT_THAT(WhyUnmet(field, "<a/>"), HasSubstr("looked for at $.titel"));
}

}  // namespace patra::domain::unmet_fields_test
