#include "boot/demo_source.h"

#include "infra/sqlite/connection.h"

namespace patra::boot {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kStoredItem = R"sql(
    SELECT content_hash, deleted_at FROM ing_item
    WHERE provenance_code = :provenance AND endpoint_name = :endpoint AND provider_item_id = :id LIMIT 1)sql";

}  // namespace

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

Result<Difference> CompareWithTruth(const sim::Simulator& simulator, infra::sqlite::Store& store,
                                    Instant from, Instant to, const TruthOf& of) {
  const auto truth = PATRA_TRY(simulator.Truth(of.truth, from, to));
  return store.Read([&](infra::sql::Session& connection) -> Result<Difference> {
    Difference difference;
    while (const auto entry = truth->Next()) {
      if (entry->silent) continue;
      ++difference.truth;
      auto rows = PATRA_TRY(connection.Query(kStoredItem, {{"provenance", of.provenance}, {"endpoint", of.endpoint}, {"id", entry->id}}));
      if (!PATRA_TRY(rows.Next())) {
        ++difference.missing;
        if (difference.first.empty()) difference.first = entry->id;
      } else if (rows.IsNull("deleted_at") == entry->deleted ||
                 (!entry->deleted && rows.View("content_hash") != entry->hash)) {
        ++difference.wrong;
        if (difference.first.empty()) difference.first = entry->id;
      }
    }
    return difference;
  });
}

}  // namespace patra::boot
