// What a page holds, by the paths of the snapshot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct PageContent {
  std::vector<Record> records;
  std::vector<BadRecord> bad_records;
  std::vector<std::string> ids{};         // instead of records, where details are a second phase
  std::optional<std::int64_t> announced;  // how many records the whole walk has, says the provider
  std::optional<std::string> next{};      // token or URL of the next page
  // Nothing is where the definition looks for that, not even a word that there is none; what seems to lead on instead.
  std::optional<std::string> no_next{};
  std::optional<bool> has_more{};    // where the provider says so
  std::optional<ErrorRule> rule{};   // the error rule that the answer matches
  std::string rule_words{};          // what stands where the rule's `body` leads to
  std::vector<std::string> bytes{};  // of each of `records`, where somebody asked for them
  std::int64_t passed_over = 0;      // records of the page that a filter of `items` does not mean
  // All of them are passed over, and none has this member, which the filter compares.
  std::optional<std::string> unmet_member{};

  // A page that an error rule put into quarantine: it stands among `bad_records`, as one.
  bool is_isolated() const { return rule && rule->action == ErrorAction::kQuarantine; }
  std::size_t size() const { return records.size() + bad_records.size() + ids.size(); }
};

// A record that stands alone, as quarantine keeps it.
struct LoneRecord {
  std::string bytes;
  Instant fetched_at;
  // What breaks a rule is left out, and fields that are missing are missing; else the record is bad.
  bool is_lenient = false;
};

}  // namespace patra::domain
