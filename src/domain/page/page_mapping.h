// The paths of one kind of page, compiled: from a response to records.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/json_path.h"
#include "base/path.h"
#include "domain/page/error_match.h"
#include "domain/page/field_value.h"
#include "domain/page/page_answer.h"
#include "domain/page/page_content.h"

namespace patra::domain {

// Whether a page keeps the bytes of its records.
enum class RecordBytes { kLeft, kKept };

class PageMapping {
 public:
  struct Spec {
    ResponseSpec response;
    std::vector<FieldSpec> fields;
    std::vector<ErrorRule> errors;
    std::optional<std::string> next;
    std::optional<std::string> has_more;
    bool next_in_link_header = false;
    bool ids_only = false;
  };

  static Result<PageMapping> Compile(Spec spec);

  Result<PageContent> Read(const PageAnswer& answer, RecordBytes bytes = RecordBytes::kLeft) const;
  Result<PageContent> ReadAlone(const LoneRecord& record) const;

 private:
  // What keeps a record out, before it is known whether the record even has an id.
  struct Flaw {
    std::string path;
    std::string rule;
    std::string reason;
  };

  struct Dates {
    Instant version;                 // that orders versions
    std::optional<Instant> dated{};  // the provider's, where that is another one
  };

  // Of an answer, by the rules of the source.
  enum class Meaning { kError, kPage, kPageInSpite };  // of what looks like an error

  // What a record may do without.
  enum class Lenience {
    kNone,
    kMayLack,     // a tombstone has few fields left
    kMayBeWrong,  // what breaks a rule is left out
  };

  // A path of names alone, each of which has to stand once in its object.
  using SimpleWay = std::vector<JsonPath::Step>;

  explicit PageMapping(Spec spec) : spec_(std::move(spec)) {}

  Result<PageContent> ReadJson(const PageAnswer& answer, RecordBytes bytes) const;
  Result<PageContent> ReadXml(const PageAnswer& answer, RecordBytes bytes) const;
  Result<void> ReadEnvelope(Node root, const PageAnswer& answer, PageContent& content) const;
  Result<std::optional<std::int64_t>> ReadTotal(Node root) const;
  Result<std::vector<Node>> FindItems(Node root) const;
  Result<std::vector<Node>> ReadItems(Node root, Meaning meaning,
                                      std::optional<std::int64_t> announced) const;
  Result<void> ReadColumns(Node root, std::span<const Node> rows, const PageAnswer& answer,
                           RecordBytes bytes, PageContent& content) const;
  Result<Meaning> MeaningOf(Node root, const PageAnswer& answer, PageContent& content) const;
  Error NotAPage(std::string reason) const;
  void Add(Node item, Instant fetched_at, RecordBytes bytes, PageContent& content) const;
  // The same for one of many: an error where too many of them are bad. `bad_bytes` are those of the bad ones so far.
  Result<void> AddWithin(Node item, Instant fetched_at, RecordBytes bytes, std::size_t& bad_bytes,
                         PageContent& content) const;
  std::expected<std::string, Flaw> ReadId(Node item, Computed& computed) const;
  std::expected<Record, Flaw> ReadRecord(Node item, Instant fetched_at,
                                         bool is_lenient = false) const;
  std::expected<Dates, Flaw> ReadUpdated(Node item, Computed& computed, Instant fetched_at) const;
  std::expected<std::string, Flaw> ReadFields(Node item, Computed& computed, Instant fetched_at,
                                              Lenience lenience, Record& record) const;
  void ReadConcerns(Node item, Computed& computed, Record& record) const;

  Spec spec_;
  std::optional<Path> items_;
  std::optional<JsonPath> json_items_;  // the same, for finding broken records
  std::vector<JsonPath::Step> steps_;   // of it
  std::vector<SimpleWay> ways_;         // of the envelope
  std::vector<SimpleWay> id_ways_;
  std::optional<Path> envelope_;
  std::optional<Path> columns_;
  std::vector<Path> id_;
  std::optional<Path> updated_;
  std::optional<DateReader> updated_dates_;
  std::optional<Path> version_;
  std::optional<Path> deleted_;
  std::optional<Path> merged_into_;
  std::optional<Path> retracts_;
  std::optional<Path> total_;
  std::optional<Path> next_;
  std::optional<Path> has_more_;
  std::vector<FieldReader> fields_;
  std::shared_ptr<const std::vector<std::string>> kept_fields_;
  std::optional<ErrorMatcher> errors_;
};

}  // namespace patra::domain
