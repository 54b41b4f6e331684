#include "boot/demo_source.h"

#include <cinttypes>
#include <cstdio>

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::boot {
namespace {

using namespace std::chrono_literals;

// The store remembers a definition, and with its name what the provider was made of.
constexpr const char* kName = "The built-in simulator with %" SCNd64 " records of seed %" SCNu64;

std::string NameOf(const DemoWorld& world) {
  return fmt::format("The built-in simulator with {} records of seed {}", world.records,
                     world.seed);
}

}  // namespace

std::string DemoDefinition(const std::string& url, const DemoWorld& world) {
  constexpr std::string_view kText = R"yaml(
source: demo
name: {name}
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
  return fmt::format(kText, fmt::arg("url", url), fmt::arg("name", NameOf(world)),
                     fmt::arg("begin", FormatRfc3339(world.begin)),
                     fmt::arg("lag", FormatDuration(2 * kDemoLatestArrival)));
}

std::optional<DemoWorld> WorldOf(const domain::DefinitionNode& definition) {
  const auto* name = definition.At("name");
  const auto* start = definition.At("endpoints.items.window.start");
  if (name == nullptr || start == nullptr) return std::nullopt;
  DemoWorld world;
  const auto begin = ParseRfc3339(start->text);
  const int read = std::sscanf(name->text.c_str(), kName, &world.records, &world.seed);
  if (!begin || read != 2) return std::nullopt;
  world.begin = *begin;
  return world;
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
