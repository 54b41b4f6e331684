// Fields of a definition that no record has: they may be rare, or their path is mistyped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

class UnmetFields {
 public:
  // These have to outlive it.
  explicit UnmetFields(const std::vector<FieldSpec>& fields);

  // Tombstones have few fields, and do not count.
  void Look(std::span<const Record> records);

  std::int64_t records() const { return records_; }  // that were looked at
  const std::vector<const FieldSpec*>& fields() const { return fields_; }
  // For people. REQUIRES: there are some
  std::string Describe() const;

 private:
  std::vector<const FieldSpec*> fields_;
  std::int64_t records_ = 0;
};

// So many have to lack a field before that is worth a word.
inline constexpr std::int64_t kRecordsThatLackTell = 10;

// Of a field that no record of a page has, what is there instead, as far as that can be told: `bytes` are those of a record.
std::string WhyUnmet(const FieldSpec& field, std::string_view bytes);

}  // namespace patra::domain
