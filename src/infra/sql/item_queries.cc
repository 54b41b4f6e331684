// Records, read along an index from where the last page ended: a page costs the same at the end of ten
// million records as at their beginning.
#include "infra/sql/item_queries.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <tuple>

#include "base/hash.h"
#include "base/value.h"
#include "infra/sql/archived_batches.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/mapped_fields.h"
#include "infra/sql/record_set_table.h"

namespace patra::infra::sql {
namespace {

using contract::ItemFilter;
using contract::ItemPlace;
using contract::ItemRow;
using record_set_table::RecordSet;

constexpr std::string_view kRead = R"sql(
    SELECT id, provider_item_id, updated_at, provider_version, mapping_generation, fetched_at,
           content_hash, fields, expr_hash, batch_id, first_seen_at, refreshed_at, deleted_at, merged_into
    FROM ing_item WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kById = R"sql(
    SELECT id FROM ing_item
    WHERE record_set_id = :record_set AND provider_item_id = :id LIMIT 1)sql";

// :tombstones is 0 to leave them out, 1 to include them, 2 for nothing else.
constexpr std::string_view kInKeyOrder = R"sql(
    SELECT id FROM ing_item
    WHERE record_set_id = :record_set
      AND provider_item_id > :after_id AND provider_item_id >= :prefix AND provider_item_id < :prefix_end
      AND (:tombstones = 1 OR (deleted_at IS NOT NULL) = (:tombstones = 2))
    ORDER BY provider_item_id LIMIT :items_max)sql";

constexpr std::string_view kInTimeOrder = R"sql(
    SELECT id FROM ing_item INDEXED BY idx_item_updated
    WHERE record_set_id = :record_set
      AND updated_at >= :after_time AND (updated_at > :after_time OR id > :after_row) AND updated_at < :updated_to
      AND provider_item_id >= :prefix AND provider_item_id < :prefix_end
      AND (:tombstones = 1 OR (deleted_at IS NOT NULL) = (:tombstones = 2))
    ORDER BY updated_at, id LIMIT :items_max)sql";

constexpr std::string_view kNewest = R"sql(
    SELECT id FROM ing_item INDEXED BY idx_item_updated
    WHERE record_set_id = :record_set
      AND updated_at >= :updated_from AND updated_at < :updated_to
      AND (:tombstones = 1 OR (deleted_at IS NOT NULL) = (:tombstones = 2))
    ORDER BY updated_at DESC, id DESC LIMIT :items_max)sql";

// A record is first seen in the very moment in which its batch commits; the batch was made a request earlier.
// So it is among the last ones made before that moment, however many there are. Where several committed then, the first is told.
constexpr std::string_view kFirstBatch = R"sql(
    SELECT min(id) FROM (SELECT id, committed_at, provenance_code, endpoint_name FROM ing_task_run_batch
                         WHERE created_at <= :first_seen_at ORDER BY created_at DESC LIMIT 10000) AS newest
    WHERE committed_at = :first_seen_at AND provenance_code = :source AND endpoint_name = :endpoint)sql";

constexpr std::string_view kQuarantined = R"sql(
    SELECT id, status_code, path, rule, reason, batch_id, created_at FROM ing_quarantine
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND provider_item_id = :id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kNewestSnapshot = R"sql(
    SELECT expr_proto_snapshot FROM ing_plan
    WHERE provenance_code = :source AND operation_code = :operation AND endpoint_name = :endpoint
    ORDER BY created_at DESC LIMIT 1)sql";

ItemRow RowOf(const RecordSet& set, const Rows& rows) {
  return {.row = rows.Integer("id"),
          .source = set.source,
          .endpoint = set.endpoint,
          .id = rows.Text("provider_item_id"),
          .updated_at = rows.Time("updated_at"),
          .provider_version = rows.Integer("provider_version"),
          .mapping_generation = rows.Integer("mapping_generation"),
          .fetched_at = rows.Time("fetched_at"),
          .content_hash = ToHex(rows.Digest("content_hash")),
          .fields = rows.Text("fields"),
          .expr_hash = ToHex(rows.Digest("expr_hash")),
          .batch = rows.Integer("batch_id"),
          .first_seen_at = rows.Time("first_seen_at"),
          .refreshed_at = rows.Time("refreshed_at"),
          .deleted_at = rows.OptionalTime("deleted_at"),
          .merged_into = rows.OptionalText("merged_into")};
}

// The records of a set that a query names by their row ids.
Result<std::vector<ItemRow>> ReadAll(Session& session, const RecordSet& set, Result<Rows> query) {
  auto ids = PATRA_TRY(std::move(query));
  std::vector<ItemRow> items;
  while (PATRA_TRY(ids.Next())) {
    auto rows = PATRA_TRY(session.Query(kRead, {{"id", ids.Integer(kOnly)}}));
    if (PATRA_TRY(rows.Next())) items.push_back(RowOf(set, rows));
  }
  return items;
}

// Text that is UTF-8 never has this byte: everything that begins with the prefix sorts before it.
std::string EndOf(const std::string& prefix) { return prefix + "\xFF"; }

int CodeOf(contract::Tombstones tombstones) {
  switch (tombstones) {
    case contract::Tombstones::kLeaveOut:
      return 0;
    case contract::Tombstones::kInclude:
      return 1;
    case contract::Tombstones::kOnly:
      break;
  }
  return 2;
}

// The records of one endpoint after the given place, which is in that endpoint or not given.
Result<std::vector<ItemRow>> PageOf(Session& session, const RecordSet& set,
                                    const ItemFilter& filter, const ItemPlace* after,
                                    std::int64_t items_max) {
  const auto prefix_end = EndOf(filter.id_prefix);
  const auto tombstones = CodeOf(filter.tombstones);
  const auto after_id = after == nullptr ? std::string() : after->id;
  const auto after_time =
      after == nullptr ? filter.updated_from.value_or(kInstantMin) : after->updated_at;
  const auto after_row = after == nullptr ? Id{-1} : after->row;
  if (filter.has_times()) {
    return ReadAll(
        session, set,
        session.Query(kInTimeOrder, {{"record_set", set.number},
                                     {"after_time", after_time},
                                     {"after_row", after_row},
                                     {"updated_to", filter.updated_to.value_or(kInstantMax)},
                                     {"prefix", filter.id_prefix},
                                     {"prefix_end", prefix_end},
                                     {"tombstones", tombstones},
                                     {"items_max", items_max}}));
  }
  return ReadAll(session, set,
                 session.Query(kInKeyOrder, {{"record_set", set.number},
                                             {"after_id", after_id},
                                             {"prefix", filter.id_prefix},
                                             {"prefix_end", prefix_end},
                                             {"tombstones", tombstones},
                                             {"items_max", items_max}}));
}

bool IsWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

// Whether the page has the id as a whole: 10.1/a is not named by 10.1/ab. In JSON a slash may be escaped.
bool Names(std::string_view page, std::string_view id) {
  for (auto at = page.find(id); at != std::string_view::npos; at = page.find(id, at + 1)) {
    const auto end = at + id.size();
    const bool begins = at == 0 || !IsWordPart(page[at - 1]);
    if (begins && (end == page.size() || !IsWordPart(page[end]))) return true;
  }
  return false;
}

std::string WithEscapedSlashes(const std::string& id) {
  std::string escaped;
  for (const char c : id) escaped += c == '/' ? "\\/" : std::string(1, c);
  return escaped;
}

// The definition that the newest plan of an endpoint was made with, if it can be read.
Result<std::optional<domain::SpecSnapshot>> NewestSnapshot(Session& session, const RecordSet& set) {
  for (const auto* operation : {"HARVEST", "UPDATE", "BACKFILL"}) {
    auto rows = PATRA_TRY(session.Query(
        kNewestSnapshot,
        {{"source", set.source}, {"operation", operation}, {"endpoint", set.endpoint}}));
    if (!PATRA_TRY(rows.Next())) continue;
    const auto value = PATRA_TRY(ParseJson(rows.View("expr_proto_snapshot")));
    auto spec = domain::SpecSnapshot::FromValue(value);
    if (spec) return *std::move(spec);
  }
  return std::nullopt;
}

contract::FieldKind KindOf(const domain::FieldSpec& field) {
  using contract::FieldKind;
  if (field.many) return FieldKind::kList;
  if (field.join) return FieldKind::kText;
  switch (field.type) {
    case domain::FieldType::kAny:
      return FieldKind::kAny;
    case domain::FieldType::kInteger:
      return FieldKind::kInteger;
    case domain::FieldType::kNumber:
      return FieldKind::kNumber;
    case domain::FieldType::kBoolean:
      return FieldKind::kBoolean;
    case domain::FieldType::kInstant:
      return FieldKind::kInstant;
    case domain::FieldType::kDate:
      return FieldKind::kDate;
    case domain::FieldType::kText:
    case domain::FieldType::kPartialDate:
      break;
  }
  return FieldKind::kText;
}

}  // namespace

Result<contract::ItemPage> ItemQueries::Page(const ItemFilter& filter,
                                             const std::optional<ItemPlace>& after, int items_max) {
  return database_.Read([&](Session& session) -> Result<contract::ItemPage> {
    contract::ItemPage page;
    const auto wanted = static_cast<std::size_t>(items_max);
    for (const auto& set :
         PATRA_TRY(record_set_table::List(session, filter.source, filter.endpoint))) {
      const auto from_after =
          after ? std::tie(set.source, set.endpoint) <=> std::tie(after->source, after->endpoint)
                : std::strong_ordering::greater;
      if (from_after < 0) continue;  // that one is done
      const bool goes_on = from_after == 0;
      const auto rest = static_cast<std::int64_t>(wanted - page.items.size());
      auto items = PATRA_TRY(PageOf(session, set, filter, goes_on ? &*after : nullptr, rest));
      std::ranges::move(items, std::back_inserter(page.items));
      if (page.items.size() == wanted) break;
    }
    if (page.items.size() == wanted) {
      const auto& last = page.items.back();
      page.next = ItemPlace{last.source, last.endpoint, last.id, last.updated_at, last.row};
    }
    return page;
  });
}

Result<std::vector<ItemRow>> ItemQueries::Newest(const ItemFilter& filter, int items_max) {
  return database_.Read([&](Session& session) -> Result<std::vector<ItemRow>> {
    std::vector<ItemRow> items;
    for (const auto& set :
         PATRA_TRY(record_set_table::List(session, filter.source, filter.endpoint))) {
      auto newest = PATRA_TRY(ReadAll(
          session, set,
          session.Query(kNewest, {{"record_set", set.number},
                                  {"updated_from", filter.updated_from.value_or(kInstantMin)},
                                  {"updated_to", filter.updated_to.value_or(kInstantMax)},
                                  {"tombstones", CodeOf(filter.tombstones)},
                                  {"items_max", items_max}})));
      std::ranges::move(newest, std::back_inserter(items));
    }
    std::ranges::sort(items, [](const ItemRow& a, const ItemRow& b) {
      return std::tie(a.updated_at, a.row) > std::tie(b.updated_at, b.row);
    });
    if (items.size() > static_cast<std::size_t>(items_max))
      items.erase(items.begin() + items_max, items.end());
    return items;
  });
}

Result<std::vector<ItemRow>> ItemQueries::Find(const std::string& source,
                                               const std::string& endpoint, const std::string& id) {
  return database_.Read([&](Session& session) -> Result<std::vector<ItemRow>> {
    std::vector<ItemRow> items;
    for (const auto& set : PATRA_TRY(record_set_table::List(session, source, endpoint))) {
      auto found = PATRA_TRY(
          ReadAll(session, set, session.Query(kById, {{"record_set", set.number}, {"id", id}})));
      std::ranges::move(found, std::back_inserter(items));
    }
    return items;
  });
}

Result<std::optional<Id>> ItemQueries::FirstBatch(const ItemRow& item) {
  return database_.Read([&](Session& session) -> Result<std::optional<Id>> {
    {
      auto rows = PATRA_TRY(session.Query(kFirstBatch, {{"first_seen_at", item.first_seen_at},
                                                        {"source", item.source},
                                                        {"endpoint", item.endpoint}}));
      if (PATRA_TRY(rows.Next()) && !rows.IsNull(kOnly)) return rows.Integer(kOnly);
    }
    return archived_batches::CommittedAt(session, archived_, item.source, item.endpoint,
                                         item.first_seen_at);
  });
}

Result<std::vector<Id>> ItemQueries::PagesWith(const ItemRow& item, int pages_max) {
  return database_.Read([&](Session& session) -> Result<std::vector<Id>> {
    const auto batches = PATRA_TRY(batch_view::Ids(
        session, {.source = item.source, .endpoint = item.endpoint, .rows_max = pages_max}));
    const auto escaped = WithEscapedSlashes(item.id);
    std::vector<Id> naming;
    for (const auto batch : batches) {
      const auto page = archived_batches::ReadPage(session, archived_, batch);
      if (!page && page.error().code == ErrorCode::kNotFound) continue;
      if (!page) return std::unexpected(page.error());
      if (Names(page->body, item.id) || Names(page->body, escaped)) naming.push_back(batch);
    }
    return naming;
  });
}

Result<std::vector<contract::QuarantineRow>> ItemQueries::Quarantined(const std::string& source,
                                                                      const std::string& endpoint,
                                                                      const std::string& id,
                                                                      int rows_max) {
  return database_.Read([&](Session& session) -> Result<std::vector<contract::QuarantineRow>> {
    std::vector<contract::QuarantineRow> found;
    auto rows = PATRA_TRY(session.Query(
        kQuarantined,
        {{"source", source}, {"endpoint", endpoint}, {"id", id}, {"rows_max", rows_max}}));
    while (PATRA_TRY(rows.Next())) {
      found.push_back({rows.Integer("id"), rows.Text("status_code"), rows.Text("path"),
                       rows.Text("rule"), rows.Text("reason"), rows.Integer("batch_id"),
                       rows.Time("created_at")});
    }
    return found;
  });
}

Result<std::vector<contract::ItemField>> ItemQueries::Fields(const ItemFilter& filter) {
  return database_.Read([&](Session& session) -> Result<std::vector<contract::ItemField>> {
    std::vector<contract::ItemField> fields;
    for (const auto& set :
         PATRA_TRY(record_set_table::List(session, filter.source, filter.endpoint))) {
      const auto spec = PATRA_TRY(NewestSnapshot(session, set));
      if (!spec) continue;
      for (const auto& field : MappedFields(*spec)) {
        const auto kind = KindOf(field);
        const auto known = std::ranges::find(fields, field.name, &contract::ItemField::name);
        if (known == fields.end()) {
          fields.push_back({field.name, kind});
        } else if (known->kind != kind) {
          known->kind = contract::FieldKind::kAny;
        }
      }
    }
    return fields;
  });
}

}  // namespace patra::infra::sql
