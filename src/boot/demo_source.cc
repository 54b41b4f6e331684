#include "boot/demo_source.h"

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::boot {
namespace {

using namespace std::chrono_literals;

}  // namespace

std::string DemoDefinition(const std::string& url, Instant begin) {
  constexpr std::string_view kText = R"yaml(
source: demo
name: The built-in simulator
http: {{base_url: "{url}", allow_http: true}}
limits:
  - {{rate: 100/s}}
endpoints:
  items:
    request:
      path: /rest/page/items
      query:
        from: ${{window.from}}
        to: ${{window.to}}
        page: ${{page.number}}
        size: ${{page.size}}
        deleted: include
    paging: {{style: page, first_page: 1, size: 100}}
    window:
      by: updated_at
      start: {begin}
      granularity: microsecond
      safety_lag: {lag}
      settles: true
      width: 30d..30d
    response:
      items: $.items
      id: $.id
      updated: $.updated
      deleted: $.deleted
      total: $.total
    fields:
      title: {{path: $.title, required: true}}
      authors: $.authors
      year: $.year
      kind: $.kind
      abstract: $.abstract
)yaml";
  return fmt::format(kText, fmt::arg("url", url), fmt::arg("begin", FormatRfc3339(begin)),
                     fmt::arg("lag", FormatDuration(2 * kDemoLatestArrival)));
}

domain::SpecSnapshot DemoSource(const std::string& url, Instant begin) {
  return {.provenance = "demo",
          .endpoint = "items",
          .http = {.base_url = url,
                   .path = "/rest/page/items",
                   .query = {{"from", "${window.from}"},
                             {"to", "${window.to}"},
                             {"page", "${page.number}"},
                             {"size", "${page.size}"},
                             {"deleted", "include"}}},
          .paging = {.size = 100},
          .window = {.start = begin,
                     .safety_lag = 2 * kDemoLatestArrival,
                     .width = 24h * 30,
                     .width_max = 24h * 30,
                     .settles = true},
          .response = {.items = "$.items",
                       .id = {"$.id"},
                       .updated = "$.updated",
                       .deleted = "$.deleted",
                       .total = "$.total",
                       .total_kind = domain::TotalKind::kExact},
          .fields = {{.name = "title", .path = "$.title", .required = true},
                     {.name = "authors", .path = "$.authors"},
                     {.name = "year", .path = "$.year"},
                     {.name = "kind", .path = "$.kind"},
                     {.name = "abstract", .path = "$.abstract"}},
          .limits = {{.rate = domain::RateSpec{.requests = 100, .per = 1s}}}};
}

Result<Difference> CompareWithTruth(const sim::Simulator& simulator, contract::ItemQueries& items,
                                    Instant from, Instant to, const TruthOf& of) {
  const auto truth = PATRA_TRY(simulator.Truth(of.truth, from, to));
  Difference difference;
  while (const auto entry = truth->Next()) {
    if (entry->silent) continue;
    ++difference.truth;
    const auto stored = PATRA_TRY(items.Find(of.provenance, of.endpoint, entry->id));
    const bool is_wrong =
        !stored.empty() && (stored.front().deleted_at.has_value() != entry->deleted ||
                            (!entry->deleted && stored.front().content_hash != entry->hash));
    if (stored.empty()) ++difference.missing;
    if (is_wrong) ++difference.wrong;
    if ((stored.empty() || is_wrong) && difference.first.empty()) difference.first = entry->id;
  }
  return difference;
}

}  // namespace patra::boot
