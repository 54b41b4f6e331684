#include "domain/spec/check_response.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_path.h"
#include "base/path.h"
#include "base/xpath.h"
#include "domain/hook/provider_hooks.h"

namespace patra::domain {
namespace {

PathOptions PathOptionsOf(const SpecSnapshot& spec) {
  PathOptions options{.language = spec.response.format == ResponseFormat::kXml
                                      ? PathLanguage::kXPath
                                      : PathLanguage::kJsonPath};
  for (const auto& [prefix, uri] : spec.response.namespaces) options.namespaces[prefix] = uri;
  return options;
}

// Whether a path of names, indexes and wildcards leads to what the rest chooses from. Where it does not, a page without records
// looks like any other document.
bool HasSurePlace(const JsonPath& path) {
  const auto steps = path.StepsToItems();
  return steps.empty() || !std::holds_alternative<JsonPath::Chosen>(steps.front());
}

// What `items` leaves out takes its place on a page all the same.
void CheckChosen(const CheckSubject& on, const JsonPath& path) {
  const auto& response = on.spec.response;
  on.Require(
      HasSurePlace(path) || response.envelope.has_value(), "response.envelope",
      fmt::format("where '{}' finds nothing, nobody can tell that from an error", path.text()),
      "name a member that every page has, also an empty one");
  if (!path.leaves_out() || !IsWalked(on.spec.role)) return;
  const auto& paging = on.spec.paging;
  on.Require(paging.style != PagingStyle::kOffset || paging.step == OffsetStep::kSize,
             "paging.step",
             "the filter of `items` leaves records out that take a place: an offset cannot grow by "
             "what came",
             "step: size");
  on.Require(paging.style != PagingStyle::kTime, "paging.style",
             "by time a page without records is the last, and the filter of `items` may make it so",
             "take all records, or page in another way");
  const bool is_counted_by_us =
      paging.style == PagingStyle::kPage || paging.style == PagingStyle::kOffset;
  on.Require(!is_counted_by_us || paging.has_more || response.total_kind == TotalKind::kExact,
             "paging.has_more",
             "the filter of `items` may leave pages without records, and nothing says which is the "
             "last",
             "has_more: $.PATH, or an exact total");
  const bool ends_short = std::ranges::find(paging.ends, WalkEnd::kShortPage) != paging.ends.end();
  on.Require(!ends_short || response.total_kind == TotalKind::kExact, "paging.ends",
             "the filter of `items` makes pages short that are not the last",
             "ends: empty_page, or a path `has_more`");
  if (response.total_kind == TotalKind::kExact)
    on.Warn(
        "response.items",
        "what its filter leaves out is missing, if the total counts it: every slice has a gap then",
        "`total: {is: estimate}` or none; or take all, and leave out later what is not wanted");
}

// Whatever `items` selects is a record. Where nothing may be there at all, an error must look different.
void CheckItems(const CheckSubject& on, const ResponseSpec& response) {
  if (response.items.empty()) return;
  if (response.format == ResponseFormat::kXml) {
    on.Require(response.envelope.has_value() || response.one_record, "response.envelope",
               "without an envelope an error in XML looks like a page without records",
               "name an element that every page has, also an empty one");
    const auto path = XPath::Compile(response.items, PathOptionsOf(on.spec).namespaces);
    on.Require(!path || path->selects_nodes(), "response.items",
               fmt::format("'{}' computes something and selects no records", response.items));
    on.Require(!response.items_missing, "response.items",
               "in XML a page without records is empty, as long as its envelope is there",
               "leave `missing` out");
    return;
  }
  const auto path = JsonPath::Compile(response.items);
  if (!path) return;
  on.Require(!response.one_record || path->singular(), "response.one_record",
             fmt::format("'{}' may select several records", response.items));
  on.Require(!response.one_record || response.format != ResponseFormat::kColumns,
             "response.one_record", "columns have a list of rows");
  on.Require(!response.one_record || !response.items_missing, "response.items",
             "a record that is asked for by its id is there or not: `missing` is for lists");
  if (!response.one_record) CheckChosen(on, *path);
}

}  // namespace

void CheckPath(const CheckSubject& on, const std::optional<std::string>& path,
               std::string_view at) {
  if (!path || path->empty()) return;
  if (const auto compiled = Path::Compile(*path, PathOptionsOf(on.spec)); !compiled)
    on.Complain(at, fmt::format("'{}' is not a path: {}", *path, compiled.error().message),
                compiled.error().hint);
}

// Check 5: the three paths without which there are no records.
void CheckResponse(const CheckSubject& on) {
  const auto& response = on.spec.response;
  on.Require(!response.items.empty(), "response.items", "the path to the records is missing");
  on.Require(!response.id.empty(), "response.id", "the path to a record's id is missing");
  const bool lists_ids_only = on.spec.details && !on.spec.details->for_update_only;
  if (!lists_ids_only) {
    // A measurement is as old as the look at it, where it does not say otherwise.
    const bool is_measured = on.spec.role == EndpointRole::kMetrics;
    on.Require(is_measured || response.updated || on.view.IsDeclared("response.updated"),
               "response.updated", "the path to a record's update time is missing",
               "write `updated: none` if the provider does not tell");
    on.Require(!on.spec.fields.empty(), "fields", "no field is mapped");
  }
  if (response.format == ResponseFormat::kColumns)
    on.Require(response.columns.has_value(), "response.columns",
               "the path to the columns' names is missing");
  CheckPath(on, response.items, "response.items");
  CheckItems(on, response);
  for (const auto& path : response.id) CheckPath(on, path, "response.id");
  CheckPath(on, response.updated, "response.updated");
  CheckPath(on, response.envelope, "response.envelope");
  CheckPath(on, response.columns, "response.columns");
  CheckPath(on, response.version, "response.version");
  CheckPath(on, response.deleted, "response.deleted");
  CheckPath(on, response.merged_into, "response.merged_into");
  CheckPath(on, response.retracts, "response.retracts");
  CheckPath(on, response.total, "response.total");
  const bool has_total = response.total || HookGivesTotal(on.spec.hooks);
  on.Require(has_total || response.total_kind == TotalKind::kNone, "response.total",
             "'path' is missing");
  for (const auto& field : on.spec.fields) {
    const auto at = fmt::format("fields.{}", field.name);
    CheckPath(on, field.path, at);
    on.Require(!field.many || !field.join, at, "it is either a list (many) or one text (join)");
  }
  for (const auto& rule : on.spec.errors) CheckPath(on, rule.body, "errors");
  if (!has_total && IsWalked(on.spec.role))
    on.Warn("response.total", "the provider announces no total",
            "completeness is judged by the end of the walk alone");
}

}  // namespace patra::domain
