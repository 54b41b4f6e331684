// What a path found, as the type that the definition declares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/date_pattern.h"
#include "base/document.h"
#include "base/i_regexp.h"
#include "base/path.h"
#include "base/result.h"
#include "base/time_zone.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Providers write "nothing" in many ways: no member, null, "", [] or {}. All are the same to us, so
// that a record does not change when its provider changes its mind about which one to use.
bool IsEmpty(const Node& node);

// Whether a marker such as `deleted` is set: true, a number but 0, any text but false, no and 0.
bool IsTrue(const Node& node);

// Dates in any of several patterns; none means ISO 8601 with or without time and zone.
class DateReader {
 public:
  static Result<DateReader> Compile(const std::vector<std::string>& patterns, const TimeZone& zone);

  Result<Instant> Read(std::string_view text, Instant now) const;

 private:
  std::vector<DatePattern> patterns_;
  TimeZone zone_;
};

class FieldReader {
 public:
  static Result<FieldReader> Compile(const FieldSpec& field, const PathOptions& options,
                                     const TimeZone& zone);

  const FieldSpec& spec() const { return spec_; }

  // The value within the record, nothing where it is empty. The error's code is kCorruption and its
  // hint the rule that was broken: "type", "date", "enum", "pattern" or "one".
  Result<std::optional<Value>> Read(Node record, Computed& computed, Instant now) const;

 private:
  FieldReader(FieldSpec spec, Path path, DateReader dates, std::optional<IRegexp> pattern)
      : spec_(std::move(spec)),
        path_(std::move(path)),
        dates_(std::move(dates)),
        pattern_(std::move(pattern)) {}

  Result<std::optional<Value>> Convert(const Node& node, Instant now) const;
  Result<void> CheckText(const Value& value) const;

  FieldSpec spec_;
  Path path_;
  DateReader dates_;
  std::optional<IRegexp> pattern_;
};

}  // namespace patra::domain
