// The records of a page: where they stand, and whether what stands there are records.
#include "domain/page/page_mapping.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_items.h"
#include "domain/page/error_object.h"
#include "domain/page/page_bounds.h"
#include "domain/page/unmet_filter.h"
#include "domain/page/what_is_there.h"

namespace patra::domain {
namespace {

// It will be worked on; what it asks for is not there yet.
constexpr int kStatusAccepted = 202;

}  // namespace

// Whether a document that lacks what the definition looks for tells of the definition (kNotFound). One that says little, or
// looks like an error that no rule knows, may come from a provider in trouble.
ErrorCode PageMapping::CodeOfMissing(Node root) const {
  const bool is_html = root.is_xml() && LowerCode(root.local_name()) == "html";
  const bool says_much = root.is_xml() ? !is_html : root.size() > 0;
  return says_much && !FindErrorBeside(root, steps_, Beside::kNothing) ? ErrorCode::kNotFound
                                                                       : ErrorCode::kCorruption;
}

Result<std::vector<Node>> PageMapping::FindOneRecord(Node root) const {
  const auto& path = spec_.response.items;
  Computed computed;
  const auto found = PATRA_TRY(items_->Select(root, computed));
  if (found.size() > 1) {
    return std::unexpected(NotAPage(
        fmt::format("{} selects {} records, and the definition says one", path, found.size())));
  }
  if (found.empty() || (!found.front().is_object() && !found.front().is_xml()))
    return std::unexpected(NotAPage(fmt::format("the page has no record at {}", path)));
  if (!records_->ReadId(found.front(), computed))
    return std::unexpected(NotAPage(fmt::format("what the page has at {} has no id", path)));
  return found;
}

Result<std::vector<Node>> PageMapping::FindItems(Node root, PageContent& content) const {
  const auto& path = spec_.response.items;
  if (spec_.response.one_record) return FindOneRecord(root);
  Computed computed;
  if (!json_items_) {
    auto items = PATRA_TRY(items_->Select(root, computed));
    if (items.size() > kRecordsPerPageMax) return TooMany("records", kRecordsPerPageMax);
    if (items.empty() && !envelope_) {
      return std::unexpected(NotAPage(fmt::format(
          "nothing is at {}, and without an envelope nobody can tell that from an error", path)));
    }
    return items;
  }
  auto found = PATRA_TRY(
      FindJsonItems(root, *json_items_, steps_, kRecordsPerPageMax, AbsentMember::kNoPage));
  const auto* none = std::get_if<NoItems>(&found);
  const bool may_be_missing = spec_.response.items_missing == ItemsMissing::kEmpty;
  // A name that is nearly right is a mistake, whatever may be missing.
  if (none != nullptr && may_be_missing && !IsNearlyThere(steps_, *none)) {
    found = PATRA_TRY(
        FindJsonItems(root, *json_items_, steps_, kRecordsPerPageMax, AbsentMember::kNoRecords));
    none = std::get_if<NoItems>(&found);
  }
  if (none != nullptr) {
    auto error = NotAPage(fmt::format("the page has no list at {}", path));
    if (!none->at.is_null()) error.code = CodeOfMissing(root);
    error.hint = WhatIsThere(steps_, *none);
    return std::unexpected(std::move(error));
  }
  auto& items = std::get<JsonItems>(found);
  if (items.are_too_many) return TooMany("records", kRecordsPerPageMax);
  // The object of an error has members, too.
  const auto has_id = [&](const Node& item) {
    return records_->ReadId(item, computed).has_value();
  };
  // Lists are no records, unless their columns are named.
  const bool are_lists = !columns_ && !items.nodes.empty() && items.nodes.front().is_array();
  if ((items.are_told_by_content || are_lists) && !items.nodes.empty() &&
      std::ranges::none_of(items.nodes, has_id)) {
    auto error = NotAPage(fmt::format("nothing that {} selects has an id", path));
    if (items.nodes.front().is_array())
      error.hint = fmt::format("it selects lists; {}[*] selects what is in them", path);
    return std::unexpected(std::move(error));
  }
  content.passed_over = static_cast<std::int64_t>(items.passed_over);
  if (items.nodes.empty() && items.passed_over > 0)
    content.unmet_member = UnmetMember(root, steps_, path);
  return std::move(items.nodes);
}

// A list proves what it shows only where it stands for itself: beside an error that no rule of the source knows, it may be
// empty for no better reason, or hold what the provider could get at.
Result<std::vector<Node>> PageMapping::ReadItems(Node root, const PageAnswer& answer,
                                                 Meaning meaning, PageContent& content) const {
  for (const auto& way : ways_) {
    if (const auto twice = FindTwice(root, way))
      return std::unexpected(NotAPage(fmt::format("'{}' stands twice in the page", *twice)));
  }
  auto items = PATRA_TRY(FindItems(root, content));
  if (meaning == Meaning::kPageInSpite || spec_.response.one_record) return items;
  const bool announces_none =
      spec_.response.total_kind == TotalKind::kExact && content.announced == 0;
  const auto beside = !items.empty()   ? Beside::kRecords
                      : announces_none ? Beside::kNothingAnnounced
                                       : Beside::kNothing;
  if (items.empty() && !announces_none && answer.status == kStatusAccepted) {
    return Fail(ErrorCode::kUnavailable,
                "the provider has accepted the request (202) and has no answer yet", {},
                "a rule of the definition's `errors` can say what that means; `then: empty` if it "
                "means that there is nothing");
  }
  const auto error = FindErrorBeside(root, steps_, beside);
  if (!error) return items;
  if (items.empty()) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("the list is empty beside an error: {}", *error), {},
                "a rule of the definition's `errors` can say what that means; `then: empty` if it "
                "means that there is nothing");
  }
  return Fail(ErrorCode::kCorruption,
              fmt::format("{} records stand beside an error: {}", items.size(), *error), {},
              "others may be missing; if none is, a rule of the definition's `errors` can say "
              "`then: page`");
}

}  // namespace patra::domain
