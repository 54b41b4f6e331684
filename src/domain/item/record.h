// What a page yields: records mapped to the fields of the definition, and records that could not
// be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "domain/item/overwrite.h"

namespace patra::domain {

// Ids are keys: what is longer is no id. The longest that are known, addresses of web pages, have a few hundred bytes.
inline constexpr std::size_t kItemIdBytesMax = 2'000;

// What a page may hold, however large a page may be: memory is bounded by that before it is taken. With more bad records
// than that, the page is what is broken.
inline constexpr std::size_t kRecordsPerPageMax = 250'000;
inline constexpr std::size_t kBadRecordsPerPageMax = 10'000;
inline constexpr std::size_t kBadBytesPerPageMax = std::size_t{128} << 20;

// A record that is worth another look because of what one says.
struct Concern {
  std::string item_id;
  std::string type;  // RETRACTION, MERGE or MISSING_FIELD
  std::string note;

  friend bool operator==(const Concern&, const Concern&) = default;
};

struct Record {
  std::string id;             // as the provider names it
  bool id_is_number = false;  // in JSON, where 1 and "1" are two
  ItemVersion version;        // its content_hash is over `fields`
  std::string fields;         // canonical JSON of the mapped fields
  // As the provider dates it, where something else decides which version is the newer one.
  std::optional<Instant> dated_at{};
  std::optional<std::string> merged_into;
  // Deleted: when it was found missing from its list. Else the provider tells when.
  std::optional<Instant> gone_at{};
  // Names of fields that keep what is stored where this record has nothing; null: there are none.
  std::shared_ptr<const std::vector<std::string>> kept_fields{};
  std::vector<Concern> concerns{};

  // By which windows and pages are told.
  Instant date() const { return dated_at.value_or(version.updated_at); }
};

// The rule that a page broke which an error rule of the source isolates (`then: quarantine`).
inline constexpr std::string_view kIsolatedByRule = "quarantine";

// A record that breaks a rule. It goes to quarantine with its bytes; its siblings go on (I10).
struct BadRecord {
  std::optional<std::string> id;
  std::string path;    // which field
  std::string rule;    // which rule it broke, such as "required" or "date"
  std::string reason;  // for people
  std::string bytes;
  bool is_page = false;  // not a record, but a whole page that none can be told apart in

  bool is_isolated_page() const { return is_page && rule == kIsolatedByRule; }
};

}  // namespace patra::domain
