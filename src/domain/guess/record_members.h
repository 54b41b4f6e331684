// What records of an answer that nobody described have in common: which member names them, which dates them, what the others are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/guess/record_list.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct GuessedMember {
  Steps steps;
  std::string why;
};

// A scalar that is in every record and another one in each.
std::optional<GuessedMember> GuessId(const RecordList& list);

struct GuessedDate {
  Steps steps;
  std::string why;
  bool is_update = true;  // else it dates something else: a day of publication
};
// Dates as ISO 8601 has them, in every record.
std::optional<GuessedDate> GuessUpdated(const RecordList& list);

struct GuessedField {
  std::string name;  // as definitions may call it
  Steps steps;
  FieldType type = FieldType::kAny;
  bool many = false;  // its values are elements of a list, or repeat
};
std::vector<GuessedField> GuessFields(const RecordList& list, bool is_xml);

// Whether a text is a day (2026-01-31), or a moment with its zone.
bool IsDay(const std::string& text);
bool IsMoment(const std::string& text);

}  // namespace patra::domain
