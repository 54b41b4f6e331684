#include "domain/page/page_mapping.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_items.h"
#include "base/json_salvage.h"
#include "base/text_scanner.h"
#include "domain/page/link_header.h"
#include "domain/page/next_token.h"
#include "domain/page/page_bounds.h"
#include "domain/page/sought_token.h"
#include "domain/page/what_is_there.h"

namespace patra::domain {
namespace {

constexpr std::size_t kTotalShown = 40;
constexpr std::size_t kLinkShown = 200;
// No provider has more, and sums over all slices of all sources stay far from what 64 bits hold.
constexpr std::int64_t kTotalMost = 1'000'000'000'000'000;

std::string Trimmed(const std::string& text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Whether so many are bad that it is the page that is. REQUIRES: one has just come
Result<void> CheckBad(const PageContent& content, std::size_t& bytes) {
  if (content.bad_records.size() > kBadRecordsPerPageMax)
    return TooMany("records that break a rule", kBadRecordsPerPageMax);
  bytes += content.bad_records.back().bytes.size();
  if (bytes > kBadBytesPerPageMax)
    return TooMany("bytes of records that break a rule", kBadBytesPerPageMax);
  return {};
}

bool IsSuccess(int status) { return status >= 200 && status < 300; }

}  // namespace

bool IdTypes::IsLastAmbiguous(const std::vector<Record>& records) {
  if (records.empty()) return false;
  const auto& last = records.back();
  (last.id_is_number ? has_numbers_ : has_texts_) = true;
  if (!has_numbers_ || !has_texts_) return false;
  for (; noted_ + 1 < records.size(); ++noted_)
    first_types_.try_emplace(records[noted_].id, records[noted_].id_is_number);
  const auto first = first_types_.find(last.id);
  return first != first_types_.end() && first->second != last.id_is_number;
}

Result<PageMapping> PageMapping::Compile(Spec given) {
  PageMapping mapping(std::move(given));
  const auto& response = mapping.spec_.response;
  const bool is_xml = response.format == ResponseFormat::kXml;
  PathOptions options{.language = is_xml ? PathLanguage::kXPath : PathLanguage::kJsonPath};
  for (const auto& [prefix, uri] : response.namespaces) options.namespaces[prefix] = uri;
  const auto zone = PATRA_TRY(TimeZone::Find(response.timezone));

  mapping.items_ = PATRA_TRY(Path::Compile(response.items, options));
  if (!is_xml) {
    mapping.json_items_ = PATRA_TRY(JsonPath::Compile(response.items));
    mapping.steps_ = mapping.json_items_->StepsToItems();
  }
  struct Optional {
    const std::optional<std::string>& text;
    std::optional<Path>& path;
  };
  for (const auto& [text, path] :
       {Optional{response.envelope, mapping.envelope_},
        Optional{response.columns, mapping.columns_}, Optional{response.total, mapping.total_},
        Optional{mapping.spec_.next, mapping.next_},
        Optional{mapping.spec_.has_more, mapping.has_more_}}) {
    if (text) path = PATRA_TRY(Path::Compile(*text, options));
  }
  // Search engines say beside a total whether it is one: {"value": 10000, "relation": "gte"}.
  constexpr std::string_view kValue = ".value";
  if (response.total && !is_xml && response.total->ends_with(kValue)) {
    const auto parent = response.total->substr(0, response.total->size() - kValue.size());
    mapping.total_relation_ = PATRA_TRY(Path::Compile(parent + ".relation", options));
  }
  if (!is_xml) {
    mapping.ways_.push_back(mapping.steps_);
    for (const auto& text : {response.total, mapping.spec_.next, mapping.spec_.has_more}) {
      if (text) mapping.ways_.push_back(PATRA_TRY(SimpleWayOf(*text)));
    }
    if (mapping.spec_.next) mapping.next_way_ = PATRA_TRY(SimpleWayOf(*mapping.spec_.next));
  }
  mapping.records_ =
      PATRA_TRY(RecordMapping::Compile(response, mapping.spec_.fields, options, zone));
  mapping.errors_ = PATRA_TRY(ErrorMatcher::Compile(mapping.spec_.errors, options));
  if (const auto& hooks = mapping.spec_.hooks) {
    if (hooks->response) mapping.response_hook_ = PATRA_TRY(FindResponseHook(*hooks->response));
    if (hooks->paging) mapping.paging_hook_ = PATRA_TRY(FindPagingHook(*hooks->paging));
  }
  return mapping;
}

Result<PageContent> PageMapping::Read(const PageAnswer& answer, RecordBytes bytes) const {
  if (response_hook_ == nullptr) return ReadDocument(answer, bytes);
  const auto document = response_hook_->document(answer.body);
  if (document) {
    return ReadDocument({.status = answer.status,
                         .headers = answer.headers,
                         .body = *document,
                         .received_at = answer.received_at,
                         .has_headers = answer.has_headers},
                        bytes);
  }
  // Errors often come without the wrapping: what a rule of the source knows is no page in either shape.
  auto as_it_is = ReadDocument(answer, bytes);
  if (as_it_is && as_it_is->rule) return as_it_is;
  return Unreadable(answer, document.error());
}

Result<PageContent> PageMapping::ReadDocument(const PageAnswer& answer, RecordBytes bytes) const {
  return spec_.response.format == ResponseFormat::kXml ? ReadXml(answer, bytes)
                                                       : ReadJson(answer, bytes);
}

Result<void> PageMapping::MatchRule(const PageAnswer& answer, std::optional<Node> root,
                                    PageContent& content) const {
  auto matched = PATRA_TRY(errors_->Match(answer, root));
  if (!matched) return {};
  content.rule = std::move(matched->rule);
  content.rule_words = std::move(matched->words);
  return {};
}

// An answer that matches an error rule is no page, unless the rule says so. One that matches none and is no success is an
// error that nobody foresaw.
Result<PageMapping::Meaning> PageMapping::MeaningOf(Node root, const PageAnswer& answer,
                                                    PageContent& content) const {
  PATRA_TRY(MatchRule(answer, root, content));
  const bool is_page = content.rule && content.rule->action == ErrorAction::kPage;
  if (content.rule && !is_page) return Meaning::kError;
  content.rule.reset();
  if (IsSuccess(answer.status)) return is_page ? Meaning::kPageInSpite : Meaning::kPage;
  return Fail(ErrorCode::kUnavailable,
              fmt::format("the provider answered with status {}", answer.status));
}

Error PageMapping::NotAPage(std::string reason) const {
  return {ErrorCode::kCorruption,
          std::move(reason),
          {},
          "the provider answered in another shape than the definition expects"};
}

// Some error bodies are HTML or broken JSON: only rules about status, headers and raw text can tell what they mean.
Result<PageContent> PageMapping::Unreadable(const PageAnswer& answer, const Error& why) const {
  PageContent content;
  PATRA_TRY(MatchRule(answer, std::nullopt, content));
  if (content.rule) return content;
  if (IsSuccess(answer.status)) return std::unexpected(why);
  return Fail(ErrorCode::kUnavailable,
              fmt::format("the provider answered with status {}", answer.status));
}

Result<PageContent> PageMapping::ReadJson(const PageAnswer& answer, RecordBytes bytes) const {
  PageContent content;
  const auto page = ParseJsonSalvaging(answer.body, *json_items_);
  if (!page) return Unreadable(answer, page.error());
  const auto root = page->document.root();
  const auto meaning = PATRA_TRY(MeaningOf(root, answer, content));
  if (meaning == Meaning::kError) return content;
  PATRA_TRY(ReadEnvelope(root, answer, content));

  const auto items = PATRA_TRY(ReadItems(root, answer, meaning, content));
  PATRA_TRY(ReadNextByHook(items, content));
  PATRA_TRY(LookForNext(root, answer, items.size(), content));
  if (columns_) {
    PATRA_TRY(ReadColumns(root, items, answer, bytes, content));
    return content;
  }
  content.records.reserve(items.size());
  auto broken = page->broken.begin();
  ReadSoFar so_far;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (broken == page->broken.end() || broken->index != i) {
      PATRA_TRY(AddWithin(items[i], answer.received_at, bytes, so_far, content));
      continue;
    }
    // Members may come in another order than in the text; what stands for a broken record is null.
    if (page->broken_are_null && !items[i].is_null()) return std::unexpected(broken->error);
    content.bad_records.push_back({.path = spec_.response.items,
                                   .rule = "json",
                                   .reason = broken->error.Describe(),
                                   .bytes = broken->bytes});
    ++broken;
  }
  return content;
}

Result<PageContent> PageMapping::ReadXml(const PageAnswer& answer, RecordBytes bytes) const {
  PageContent content;
  const auto document = Document::ParseXml(answer.body);
  if (!document) return Unreadable(answer, document.error());
  const auto root = document->root();
  const auto meaning = PATRA_TRY(MeaningOf(root, answer, content));
  if (meaning == Meaning::kError) return content;
  PATRA_TRY(ReadEnvelope(root, answer, content));

  const auto items = PATRA_TRY(ReadItems(root, answer, meaning, content));
  PATRA_TRY(ReadNextByHook(items, content));
  PATRA_TRY(LookForNext(root, answer, items.size(), content));
  ReadSoFar so_far;
  for (const auto& item : items) {
    PATRA_TRY(AddWithin(item, answer.received_at, bytes, so_far, content));
  }
  return content;
}

Result<void> PageMapping::ReadEnvelope(Node root, const PageAnswer& answer,
                                       PageContent& content) const {
  Computed computed;
  if (envelope_) {
    const auto envelope = PATRA_TRY(envelope_->First(root, computed));
    // What an XPath computes is always there.
    const bool is_there = envelope && !envelope->is_null() && envelope->AsBool().value_or(true);
    if (!is_there) {
      auto error = NotAPage(fmt::format("the page has nothing at {}", envelope_->text()));
      if (!envelope) error.code = CodeOfMissing(root);
      if (root.is_xml()) error.hint = fmt::format("its root is <{}>", root.name());
      return std::unexpected(std::move(error));
    }
  }
  content.announced = PATRA_TRY(ReadTotal(root, answer));
  PATRA_TRY(ReadNext(root, answer, content));
  if (has_more_) {
    // Who says nothing about it, says nothing.
    const auto found = PATRA_TRY(OneAt(*has_more_, root, computed));
    if (found) content.has_more = IsTrue(*found);
  }
  return {};
}

Result<void> PageMapping::ReadNext(Node root, const PageAnswer& answer,
                                   PageContent& content) const {
  Computed computed;
  if (const auto found = next_ ? PATRA_TRY(OneAt(*next_, root, computed)) : std::nullopt) {
    auto token = TokenOf(*found, spec_.token_kind.value_or(TokenKind::kText));
    if (!token) {
      auto error =
          NotAPage(fmt::format("the token at {} {}", next_->text(), token.error().message));
      if (!token.error().hint.empty()) error.hint = token.error().hint;
      return std::unexpected(std::move(error));
    }
    content.next = *std::move(token);
  }
  if (spec_.next_header) content.next = PATRA_TRY(TokenInHeader(answer, *spec_.next_header));
  if (spec_.next_in_link_header) {
    for (const auto& [name, links] : answer.headers) {
      if (content.next || !EqualIgnoringCase(name, "link")) continue;
      content.next = NextLink(links);
      if (!content.next && SpeaksOfNext(links)) {
        return std::unexpected(NotAPage(fmt::format(
            "the header 'Link' speaks of a next page and names none that can be read: {}",
            links.substr(0, kLinkShown))));
      }
    }
  }
  return {};
}

// Whether the page says that nothing follows, or says nothing about it.
Result<void> PageMapping::LookForNext(Node root, const PageAnswer& answer, std::size_t shown,
                                      PageContent& content) const {
  const bool is_in_headers = spec_.next_header || spec_.next_in_link_header;
  if (content.next) return {};
  if ((!next_ && !is_in_headers) || (is_in_headers && !answer.has_headers)) return {};
  Computed computed;
  if (next_ && PATRA_TRY(next_->First(root, computed))) return {};
  for (const auto& [name, value] : answer.headers) {
    if (spec_.next_header && EqualIgnoringCase(name, *spec_.next_header)) return {};
    if (spec_.next_in_link_header && EqualIgnoringCase(name, "link") && NamesOtherPages(value))
      return {};
  }
  content.no_next = WhatLeadsOn(
      root, answer,
      {.path = next_ ? next_->text() : std::string_view(),
       .way = next_way_,
       .header = spec_.next_header ? std::string_view(*spec_.next_header) : std::string_view(),
       .in_link_header = spec_.next_in_link_header,
       .items_path = spec_.response.items,
       .items = steps_,
       .shown = static_cast<std::int64_t>(shown) + content.passed_over,
       .is_counted = total_.has_value() || CountsByHook()});
  return {};
}

// The page has several where one is meant: whichever is taken, another page could be meant as well.
Result<std::optional<Node>> PageMapping::OneAt(const Path& path, Node root,
                                               Computed& computed) const {
  auto found = NodeAt(path, root, computed);
  if (found || found.error().code != ErrorCode::kConflict) return found;
  auto error = NotAPage(found.error().message);
  error.hint = found.error().hint;
  return std::unexpected(std::move(error));
}

Result<std::optional<std::string>> PageMapping::TotalText(Node root) const {
  Computed computed;
  const auto total = PATRA_TRY(OneAt(*total_, root, computed));
  return total ? std::optional(total->Text()) : std::nullopt;
}

Result<void> PageMapping::ReadNextByHook(std::span<const Node> items, PageContent& content) const {
  if (paging_hook_ == nullptr || paging_hook_->next == nullptr) return {};
  PageEnd end{.rows = items.size()};
  Computed computed;
  if (!items.empty()) {
    if (auto id = records_->ReadId(items.back(), computed)) end.last_id = *std::move(id);
  }
  content.next = PATRA_TRY(paging_hook_->next(end));
  return {};
}

Result<void> PageMapping::RefuseLowerBound(Node root, std::int64_t count) const {
  if (!total_relation_ || spec_.response.total_kind != TotalKind::kExact) return {};
  Computed computed;
  const auto relation = PATRA_TRY(total_relation_->First(root, computed));
  // Where paging ends there anyway, smaller slices are asked for.
  if (!relation || relation->Text() == "eq" || spec_.reach == count) return {};
  auto error =
      NotAPage(fmt::format("the total at {} is no total but a bound: {}, and 'relation' is '{}'",
                           total_->text(), count, relation->Text()));
  error.hint = fmt::format(
      "have the provider count all of them (track_total_hits=true); or the definition says that it "
      "counts no further, as in `paging: {{reach: {}}}`, and smaller slices are asked for",
      count);
  return std::unexpected(std::move(error));
}

// A total that is declared exact is what the account is balanced against: a page that lacks it proves nothing. An
// estimate may be missing, and one that is no count is as good as missing.
Result<std::optional<std::int64_t>> PageMapping::ReadTotal(Node root,
                                                           const PageAnswer& answer) const {
  if (!total_ && !CountsByHook()) return std::nullopt;
  const auto& response = spec_.response;
  const auto text = CountsByHook() ? paging_hook_->total(answer) : PATRA_TRY(TotalText(root));
  const auto place = CountsByHook() ? fmt::format("where the hook '{}' looks", paging_hook_->name)
                                    : fmt::format("at {}", total_->text());
  const auto count = WholeNumber(text ? std::optional(Trimmed(*text)) : std::nullopt);
  if (count && *count >= 0 && *count <= kTotalMost) {
    PATRA_TRY(RefuseLowerBound(root, *count));
    return count;
  }
  const bool is_header_lost = CountsByHook() && !answer.has_headers;
  const bool may_be_missing = !text && (response.total_on_first_page || is_header_lost);
  if (response.total_kind != TotalKind::kExact || may_be_missing) return std::nullopt;
  const auto reason = text ? fmt::format("'{}' {} is no total", text->substr(0, kTotalShown), place)
                           : fmt::format("the page announces no total {}", place);
  auto error = NotAPage(reason);
  error.hint =
      "declared exact, it has to come with every page: see `on` and `is` of response.total";
  Computed computed;
  if (!text && total_ && !PATRA_TRY(total_->First(root, computed))) {
    error.code = CodeOfMissing(root);
    const auto there = total_->language() == PathLanguage::kJsonPath
                           ? WhatIsThere(root, PATRA_TRY(SimpleWayOf(*response.total)))
                           : std::string();
    if (!there.empty()) error.hint = there + "; " + error.hint;
  }
  return std::unexpected(std::move(error));
}

// A row becomes an object of its columns, so that paths name them.
Result<void> PageMapping::ReadColumns(Node root, std::span<const Node> rows,
                                      const PageAnswer& answer, RecordBytes bytes,
                                      PageContent& content) const {
  Computed computed;
  const auto columns = PATRA_TRY(OneAt(*columns_, root, computed));
  if (!columns || !columns->is_array()) {
    return std::unexpected(NotAPage(fmt::format("the page has no list at {}", columns_->text())));
  }
  std::vector<std::string> names;
  for (const auto [name, column] : columns->children()) names.push_back(column.Text());
  ReadSoFar so_far;
  for (const auto& row : rows) {
    if (!row.is_array() || row.size() != names.size()) {
      content.bad_records.push_back(
          {.path = spec_.response.items,
           .rule = "columns",
           .reason = fmt::format("the row has {} values for {} columns", row.size(), names.size()),
           .bytes = row.Text()});
      PATRA_TRY(CheckBad(content, so_far.bad_bytes));
      continue;
    }
    Value::Object object;
    auto column = names.begin();
    for (const auto [none, cell] : row.children())
      object.emplace(*column++, PATRA_TRY(ToValue(cell)));
    const Value record(std::move(object));
    PATRA_TRY(AddWithin(Node(record), answer.received_at, bytes, so_far, content));
  }
  return {};
}

Result<PageContent> PageMapping::ReadAlone(const LoneRecord& record) const {
  const auto document =
      PATRA_TRY(spec_.response.format == ResponseFormat::kXml ? Document::ParseXml(record.bytes)
                                                              : Document::ParseJson(record.bytes));
  PageContent content;
  if (!record.is_lenient) {
    Add(document.root(), record.fetched_at, RecordBytes::kLeft, content);
    return content;
  }
  auto read = records_->ReadRecord(document.root(), record.fetched_at, true);
  PATRA_ASSERT(read.has_value());
  content.records.push_back(*std::move(read));
  return content;
}

Result<void> PageMapping::AddWithin(Node item, Instant fetched_at, RecordBytes bytes,
                                    ReadSoFar& so_far, PageContent& content) const {
  const auto bad = content.bad_records.size();
  Add(item, fetched_at, bytes, content);
  if (content.bad_records.size() == bad && so_far.ids.IsLastAmbiguous(content.records)) {
    const auto id = std::move(content.records.back().id);
    content.records.pop_back();
    if (bytes == RecordBytes::kKept) content.bytes.pop_back();
    content.bad_records.push_back(
        {.path = spec_.response.id.front(),
         .rule = "exact",
         .reason = fmt::format("the id {} is a number in one record of the page and a text in "
                               "another: nobody can tell which of them is meant",
                               id),
         .bytes = Source(item)});
  }
  return content.bad_records.size() > bad ? CheckBad(content, so_far.bad_bytes) : Result<void>();
}

void PageMapping::Add(Node item, Instant fetched_at, RecordBytes bytes,
                      PageContent& content) const {
  const auto reject = [&](RecordMapping::Flaw flaw) {
    Computed computed;
    auto id = records_->ReadId(item, computed);
    content.bad_records.push_back({.id = id ? std::optional(*std::move(id)) : std::nullopt,
                                   .path = std::move(flaw.path),
                                   .rule = std::move(flaw.rule),
                                   .reason = std::move(flaw.reason),
                                   .bytes = Source(item)});
  };
  if (spec_.ids_only) {
    Computed computed;
    auto id = records_->ReadId(item, computed);
    if (!id) return reject(std::move(id).error());
    content.ids.push_back(*std::move(id));
    return;
  }
  auto record = records_->ReadRecord(item, fetched_at);
  if (!record) return reject(std::move(record).error());
  content.records.push_back(*std::move(record));
  if (bytes == RecordBytes::kKept) content.bytes.push_back(Source(item));
}

}  // namespace patra::domain
