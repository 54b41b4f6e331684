// Turns a provider's page into records, by the paths of the snapshot.
//
// The source's error rules come first: an answer that matches one is no page, whatever its status,
// and yields no records.
#pragma once

#include <optional>
#include <vector>

#include "app/port/transport.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct PageContent {
  std::vector<domain::Record> records;
  std::vector<domain::BadRecord> bad_records;
  std::vector<std::string> ids{};         // instead of records, where details are a second phase
  std::optional<std::int64_t> announced;  // how many records the whole walk has, says the provider
  std::optional<std::string> next{};      // token or URL of the next page
  std::optional<bool> has_more{};         // where the provider says so
  std::optional<domain::ErrorRule> rule{};  // the error rule that the answer matches
  std::vector<std::string> bytes{};         // of each of `records`, where somebody asked for them

  // A page that an error rule put into quarantine: it stands among `bad_records`, as one.
  bool is_isolated() const { return rule && rule->action == domain::ErrorAction::kQuarantine; }
  std::size_t size() const { return records.size() + bad_records.size() + ids.size(); }
};

// A record that stands alone, as quarantine keeps it.
struct LoneRecord {
  std::string bytes;
  Instant fetched_at;
  // What breaks a rule is left out, and fields that are missing are missing; else the record is bad.
  bool is_lenient = false;
};

// An error is a document that cannot be read, or is not the page that the snapshot describes; kExhausted, one that holds
// more than is taken of a page (domain/item/record.h).
class PageReader {
 public:
  virtual ~PageReader() = default;

  virtual Result<PageContent> Read(const domain::SpecSnapshot& spec,
                                   const HttpResponse& response) = 0;

  // The answer of the second phase. REQUIRES: spec.details
  virtual Result<PageContent> ReadDetails(const domain::SpecSnapshot& spec,
                                          const HttpResponse& response) = 0;

  // As Read or, with `is_detail`, ReadDetails; with the bytes of the records.
  virtual Result<PageContent> ReadWithBytes(const domain::SpecSnapshot& spec,
                                            const HttpResponse& response, bool is_detail) = 0;

  // One record of the last phase: the page's, or of details where the snapshot has them. Yields one record
  // or one bad record; lenient, a record whose id may be empty. An error where the bytes are no document.
  virtual Result<PageContent> ReadRecord(const domain::SpecSnapshot& spec,
                                         const LoneRecord& record) = 0;
};

}  // namespace patra::app
