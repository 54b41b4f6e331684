// Which type of the dictionary (sys_dict_type) holds the codes of an enumeration.
#pragma once

#include <string_view>

#include "domain/spec/lifecycle.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

constexpr std::string_view DictionaryOf(EndpointRole) { return "endpoint_usage"; }
constexpr std::string_view DictionaryOf(HttpMethod) { return "http_method"; }
constexpr std::string_view DictionaryOf(AuthType) { return "auth_type"; }
constexpr std::string_view DictionaryOf(KeyOrder) { return "credential_order"; }
constexpr std::string_view DictionaryOf(AuthLocation) { return "inbound_location"; }
constexpr std::string_view DictionaryOf(PagingStyle) { return "pagination_mode"; }
constexpr std::string_view DictionaryOf(WalkEnd) { return "walk_end"; }
constexpr std::string_view DictionaryOf(TokenKind) { return "token_kind"; }
constexpr std::string_view DictionaryOf(OffsetStep) { return "offset_step"; }
constexpr std::string_view DictionaryOf(PagedBy) { return "paged_by"; }
constexpr std::string_view DictionaryOf(SplitKind) { return "split_kind"; }
constexpr std::string_view DictionaryOf(WindowFilter) { return "window_filter"; }
constexpr std::string_view DictionaryOf(Granularity) { return "granularity"; }
constexpr std::string_view DictionaryOf(WindowEnds) { return "window_ends"; }
constexpr std::string_view DictionaryOf(SortDirection) { return "sort_direction"; }
constexpr std::string_view DictionaryOf(TotalKind) { return "total_kind"; }
constexpr std::string_view DictionaryOf(TotalPages) { return "total_pages"; }
constexpr std::string_view DictionaryOf(ResponseFormat) { return "response_format"; }
constexpr std::string_view DictionaryOf(ItemsMissing) { return "items_missing"; }
constexpr std::string_view DictionaryOf(TextCase) { return "text_case"; }
constexpr std::string_view DictionaryOf(FieldType) { return "field_type"; }
constexpr std::string_view DictionaryOf(RateScope) { return "bucket_granularity_scope"; }
constexpr std::string_view DictionaryOf(ErrorAction) { return "error_action"; }
constexpr std::string_view DictionaryOf(BackoffCurve) { return "backoff_policy_type"; }
constexpr std::string_view DictionaryOf(CursorScope) { return "cursor_scope"; }
constexpr std::string_view DictionaryOf(GonePolicy) { return "gone_policy"; }
constexpr std::string_view DictionaryOf(ExprOperator) { return "reg_expr_op"; }
constexpr std::string_view DictionaryOf(Lifecycle) { return "lifecycle_status"; }

inline constexpr std::string_view kDictionaryOfOperations = "ing_operation";
inline constexpr std::string_view kDictionaryOfTriggers = "ing_trigger_type";
inline constexpr std::string_view kDictionaryOfSchedulers = "ing_scheduler";

}  // namespace patra::domain
