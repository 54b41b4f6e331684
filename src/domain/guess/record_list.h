// Which part of an answer that nobody described is its list of records?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/page/outline.h"
#include "domain/page/paging_words.h"

namespace patra::domain {

using Steps = std::vector<std::string>;  // names, from the answer's or a record's own beginning on

struct RecordList {
  Steps steps;
  std::vector<const Value*> records;  // of the answer that it was found in
};

// The list that looks most like one of records; nothing where there is none, or where it is empty.
std::optional<RecordList> FindRecordList(const ParsedAnswer& answer);

// A scalar that stands outside of all lists.
struct LooseValue {
  Steps steps;
  const Value* value;

  const std::string& name() const { return steps.back(); }
};
std::vector<LooseValue> LooseValues(const ParsedAnswer& answer);

// A text or a number as text; nothing for others. Of an XML element with attributes, its text.
std::optional<std::string> ScalarIn(const Value& value);

// As paths of definitions are written: from the answer's beginning, or within a record.
std::string PathFromRoot(const ParsedAnswer& answer, const Steps& steps);
std::string PathInRecord(const ParsedAnswer& answer, const Steps& steps);

}  // namespace patra::domain
