// The paths of one kind of record, compiled: from what stands in a page to a record.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/path.h"
#include "base/result.h"
#include "base/time_zone.h"
#include "domain/item/record.h"
#include "domain/page/field_value.h"
#include "domain/page/found_node.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

class RecordMapping {
 public:
  // What keeps a record out, before it is known whether the record even has an id.
  struct Flaw {
    std::string path;
    std::string rule;
    std::string reason;
  };

  static Result<RecordMapping> Compile(const ResponseSpec& response,
                                       const std::vector<FieldSpec>& fields,
                                       const PathOptions& options, const TimeZone& zone);

  std::expected<std::string, Flaw> ReadId(Node item, Computed& computed) const;

  // Lenient, always a record: what breaks a rule is left out, and its id may be empty.
  std::expected<Record, Flaw> ReadRecord(Node item, Instant fetched_at,
                                         bool is_lenient = false) const;

 private:
  struct TypedId {
    std::string text;
    bool has_number = false;  // JSON's, and not a text that reads like one
  };

  struct Dates {
    Instant version;                 // that orders versions
    std::optional<Instant> dated{};  // the provider's, where that is another one
  };

  // What a record may do without.
  enum class Lenience {
    kNone,
    kMayLack,     // a tombstone has few fields left
    kMayBeWrong,  // what breaks a rule is left out
  };

  explicit RecordMapping(ResponseSpec response) : response_(std::move(response)) {}

  std::expected<TypedId, Flaw> ReadTypedId(Node item, Computed& computed) const;
  std::expected<Dates, Flaw> ReadUpdated(Node item, Computed& computed, Instant fetched_at) const;
  // What the provider says of the version: its number, whether it is deleted, what took its place.
  std::expected<void, Flaw> ReadMarks(Node item, Computed& computed, Record& record) const;
  std::expected<std::string, Flaw> ReadFields(Node item, Computed& computed, Instant fetched_at,
                                              Lenience lenience, Record& record) const;
  void ReadConcerns(Node item, Computed& computed, Record& record) const;

  ResponseSpec response_;
  std::vector<Path> id_;
  std::vector<SimpleWay> id_ways_;
  std::optional<Path> updated_;
  std::optional<DateReader> updated_dates_;
  std::optional<Path> version_;
  std::optional<Path> deleted_;
  std::optional<Path> merged_into_;
  std::optional<Path> retracts_;
  std::vector<FieldReader> fields_;
  std::shared_ptr<const std::vector<std::string>> kept_fields_;
};

}  // namespace patra::domain
