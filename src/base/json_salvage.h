// Pages of JSON records of which some are broken. One bad byte fails a whole page in any parser;
// here it costs one record, which is handed back with its bytes for the quarantine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/json_path.h"
#include "base/result.h"

namespace patra {

struct BrokenRecord {
  std::size_t index = 0;   // among the items
  std::size_t offset = 0;  // of its first byte in the page
  std::string bytes;       // as received
  Error error;             // its place is the line and column in the page
};

struct SalvagedPage {
  Document document;  // the page as it came, with null in the place of every broken record
  std::vector<BrokenRecord> broken;
  // Where records are chosen by more than their place, null stands for what is broken in them, and not for the whole.
  bool broken_are_null = true;
};

// Parses like Document::ParseJson, and where that fails, cuts the page into records itself and
// replaces those that do not parse. `items` leads to the records, as in base/json_items.h; they are counted in the
// order of the text.
//
// Broken is a record with invalid UTF-8, a lone surrogate, a control character, a number outside
// double's range or a wrong token. An integer of more than 64 bits breaks nothing: it becomes a
// double. Trouble outside the array, or brackets and quotes that do not pair up (a truncated body),
// is the page's error: no record of such a page can be trusted to be whole. So are more than 10,000
// broken records. Where the path chooses (filters, slices, descendants), so is trouble in what it does not choose: it may have
// chosen otherwise.
Result<SalvagedPage> ParseJsonSalvaging(const std::string& bytes, const JsonPath& items,
                                        DocumentLimits limits = {});

}  // namespace patra
