// The paths of one kind of page, compiled: from a response to records.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json_path.h"
#include "base/path.h"
#include "domain/hook/provider_hooks.h"
#include "domain/page/error_match.h"
#include "domain/page/found_node.h"
#include "domain/page/page_answer.h"
#include "domain/page/page_content.h"
#include "domain/page/record_mapping.h"

namespace patra::domain {

// The types of the ids on a page: 1 and "1" are two ids to a provider, and one text to us.
class IdTypes {
 public:
  // Whether the last of the records has the id of one before it but for the type. REQUIRES: asked for every record as it comes
  bool IsLastAmbiguous(const std::vector<Record>& records);

 private:
  bool has_numbers_ = false;
  bool has_texts_ = false;
  std::size_t noted_ = 0;                                // of the records
  std::unordered_map<std::string, bool> first_types_{};  // only where there are both
};

// Whether a page keeps the bytes of its records.
enum class RecordBytes { kLeft, kKept };

class PageMapping {
 public:
  struct Spec {
    ResponseSpec response;
    std::vector<FieldSpec> fields;
    std::vector<ErrorRule> errors;
    std::optional<HookSpec> hooks{};
    std::optional<std::string> next;
    std::optional<std::string> has_more;
    std::optional<std::string> next_header{};
    std::optional<TokenKind> token_kind{};
    bool next_in_link_header = false;
    std::optional<std::int64_t> reach{};  // where paging ends
    bool ids_only = false;
  };

  static Result<PageMapping> Compile(Spec spec);

  Result<PageContent> Read(const PageAnswer& answer, RecordBytes bytes = RecordBytes::kLeft) const;
  Result<PageContent> ReadAlone(const LoneRecord& record) const;

 private:
  // Of an answer, by the rules of the source.
  enum class Meaning { kError, kPage, kPageInSpite };  // of what looks like an error

  explicit PageMapping(Spec spec) : spec_(std::move(spec)) {}

  Result<PageContent> ReadDocument(const PageAnswer& answer, RecordBytes bytes) const;
  Result<PageContent> Unreadable(const PageAnswer& answer, const Error& why) const;
  Result<PageContent> ReadJson(const PageAnswer& answer, RecordBytes bytes) const;
  Result<PageContent> ReadXml(const PageAnswer& answer, RecordBytes bytes) const;
  Result<void> ReadEnvelope(Node root, const PageAnswer& answer, PageContent& content) const;
  Result<void> ReadNext(Node root, const PageAnswer& answer, PageContent& content) const;
  Result<void> RefuseLowerBound(Node root, std::int64_t count) const;
  Result<std::optional<std::int64_t>> ReadTotal(Node root, const PageAnswer& answer) const;
  Result<void> ReadNextByHook(std::span<const Node> items, PageContent& content) const;
  bool CountsByHook() const { return paging_hook_ != nullptr && paging_hook_->total != nullptr; }
  Result<void> LookForNext(Node root, const PageAnswer& answer, std::size_t shown,
                           PageContent& content) const;
  Result<std::optional<Node>> OneAt(const Path& path, Node root, Computed& computed) const;
  Result<std::optional<std::string>> TotalText(Node root) const;
  Result<std::vector<Node>> FindItems(Node root, PageContent& content) const;
  Result<std::vector<Node>> FindOneRecord(Node root) const;
  Result<std::vector<Node>> ReadItems(Node root, const PageAnswer& answer, Meaning meaning,
                                      PageContent& content) const;
  Result<void> ReadColumns(Node root, std::span<const Node> rows, const PageAnswer& answer,
                           RecordBytes bytes, PageContent& content) const;
  Result<void> MatchRule(const PageAnswer& answer, std::optional<Node> root,
                         PageContent& content) const;
  Result<Meaning> MeaningOf(Node root, const PageAnswer& answer, PageContent& content) const;
  Error NotAPage(std::string reason) const;
  ErrorCode CodeOfMissing(Node root) const;
  void Add(Node item, Instant fetched_at, RecordBytes bytes, PageContent& content) const;
  struct ReadSoFar {
    std::size_t bad_bytes = 0;
    IdTypes ids{};
  };
  // The same for one of many: an error where too many of them are bad.
  Result<void> AddWithin(Node item, Instant fetched_at, RecordBytes bytes, ReadSoFar& so_far,
                         PageContent& content) const;

  Spec spec_;
  std::optional<Path> items_;
  std::optional<JsonPath> json_items_;  // the same, for finding broken records
  std::vector<JsonPath::Step> steps_;   // of it
  std::vector<SimpleWay> ways_;         // of the envelope
  SimpleWay next_way_;
  std::optional<Path> envelope_;
  std::optional<Path> columns_;
  std::optional<Path> total_;
  std::optional<Path> total_relation_;
  std::optional<Path> next_;
  std::optional<Path> has_more_;
  std::optional<RecordMapping> records_;
  std::optional<ErrorMatcher> errors_;
  const ResponseHook* response_hook_ = nullptr;
  const PagingHook* paging_hook_ = nullptr;
};

}  // namespace patra::domain
