#include "infra/sql/registry_rows.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/result.h"

namespace patra::infra::sql {
namespace {

using domain::DefinitionNode;

// How a value of a definition becomes a column.
enum class Kind {
  kText,
  kInteger,
  kNumber,
  kFlag,
  kCode,    // upper case in the table, lower case in the definition
  kMillis,  // a duration
  kTree,    // JSON
  kPairs,   // JSON list of [name, value]: a map whose order counts
};

struct Mapped {
  std::string_view column;
  std::string_view path;  // in the level
  Kind kind = Kind::kText;
};

struct MappedTable {
  std::string_view name;
  std::vector<Mapped> columns;
  std::string_view list{};  // one row per entry of this list or map; paths are within the entry
};

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<MappedTable>& Mapping() {
  static const std::vector<MappedTable> kTables = {
      {"reg_provenance",
       {{"provenance_name", "name"},
        {"base_url_default", "http.base_url"},
        {"timezone_default", "timezone"},
        {"docs_url", "docs"},
        {"default_endpoint", "default"},
        {"is_abstract", "abstract", Kind::kFlag}}},
      {"reg_prov_endpoint_def",
       {{"endpoint_usage_code", "role", Kind::kCode},
        {"gone_code", "gone", Kind::kCode},
        {"quota_weight", "weight", Kind::kInteger},
        {"http_method_code", "request.method", Kind::kCode},
        {"path_template", "request.path"},
        {"default_query_params", "request.query", Kind::kPairs},
        {"follow_up_query_params", "request.follow_up.query", Kind::kPairs},
        {"default_headers", "request.headers", Kind::kPairs},
        {"default_body_payload", "request.json", Kind::kTree},
        {"default_form_params", "request.form", Kind::kPairs},
        {"linked_detail_endpoint", "details.endpoint"},
        {"linked_refresh_endpoint", "refresh.endpoint"},
        {"request_cost", "cost", Kind::kInteger},
        {"fresh_within_millis", "freshness.within", Kind::kMillis},
        {"fresh_parts", "freshness.parts", Kind::kInteger},
        {"raw_pages_enabled", "raw_pages", Kind::kFlag},
        {"cursor_scope_code", "cursor", Kind::kCode},
        {"order_by", "order.by"},
        {"order_direction", "order.direction", Kind::kCode},
        {"order_stable", "order.stable", Kind::kFlag},
        {"template_params", "params", Kind::kPairs},
        {"output_fields", "fields", Kind::kPairs}}},
      {"reg_prov_http_cfg",
       {{"base_url_override", "http.base_url"},
        {"allow_http_enabled", "http.allow_http", Kind::kFlag},
        {"contact_ref", "http.contact"},
        {"default_headers_json", "http.headers", Kind::kPairs},
        {"timeout_connect_millis", "http.timeout.connect", Kind::kMillis},
        {"timeout_read_millis", "http.timeout.read", Kind::kMillis},
        {"timeout_total_millis", "http.timeout.total", Kind::kMillis},
        {"redirects_max", "http.redirects", Kind::kInteger},
        {"allowed_hosts_json", "http.hosts", Kind::kTree},
        {"proxy_url_value", "http.proxy"},
        {"accept_compress_enabled", "http.compression", Kind::kFlag},
        {"request_hook", "hooks.request"}}},
      {"reg_prov_pagination_cfg",
       {{"pagination_mode_code", "paging.style", Kind::kCode},
        {"paged_by_code", "paging.by", Kind::kCode},
        {"page_size_value", "paging.size", Kind::kInteger},
        {"page_size_max", "paging.size_max", Kind::kInteger},
        {"start_page_number", "paging.first_page", Kind::kInteger},
        {"offset_step_code", "paging.step", Kind::kCode},
        {"initial_cursor_value", "paging.first"},
        {"next_cursor_path", "paging.next"},
        {"next_in_link_header", "paging.link_header", Kind::kFlag},
        {"next_header_name", "paging.next_header"},
        {"token_kind_code", "paging.token", Kind::kCode},
        {"token_replayable", "paging.replayable", Kind::kFlag},
        {"token_lifetime_millis", "paging.lifetime", Kind::kMillis},
        {"end_rules_json", "paging.ends", Kind::kTree},
        {"has_more_path", "paging.has_more"},
        {"max_pages", "paging.pages_max", Kind::kInteger},
        {"reach_records", "paging.reach", Kind::kInteger},
        {"split_by_json", "paging.split_by", Kind::kTree},
        {"tail_probe", "paging.tail_probe", Kind::kFlag},
        {"paging_hook", "hooks.paging"}}},
      {"reg_prov_window_offset_cfg",
       {{"watermark_key", "window.by"},
        {"window_filter_code", "window.filter", Kind::kCode},
        {"window_start", "window.start"},
        {"watermark_lag_millis", "window.safety_lag", Kind::kMillis},
        {"watermark_lag_max_millis", "window.safety_lag_max", Kind::kMillis},
        {"window_width", "window.width"},
        {"longest_millis", "window.longest", Kind::kMillis},
        {"align_millis", "window.align", Kind::kMillis},
        {"lookback_millis", "window.lookback", Kind::kMillis},
        {"granularity_code", "window.granularity", Kind::kCode},
        {"window_ends_code", "window.ends", Kind::kCode},
        {"updated_is_filtered", "window.updated_is_filtered", Kind::kFlag},
        {"settles", "window.settles", Kind::kFlag},
        {"outside_max_ratio", "window.outside_max"},
        {"window_timezone", "window.timezone"}}},
      {"reg_prov_response_cfg",
       {{"response_format_code", "response.format", Kind::kCode},
        {"items_path", "response.items.path"},
        {"items_missing_code", "response.items.missing", Kind::kCode},
        {"one_record", "response.one_record", Kind::kFlag},
        {"repeats", "response.repeats", Kind::kFlag},
        {"envelope_path", "response.envelope"},
        {"columns_path", "response.columns"},
        {"id_path", "response.id", Kind::kTree},
        {"updated_at_path", "response.updated", Kind::kTree},
        {"version_path", "response.version"},
        {"deleted_path", "response.deleted"},
        {"merged_into_path", "response.merged_into"},
        {"retracts_path", "response.retracts"},
        {"total_count_path", "response.total", Kind::kTree},
        {"namespaces_json", "response.namespaces", Kind::kPairs},
        {"response_timezone", "response.timezone"},
        {"response_hook", "hooks.response"}}},
      {"reg_prov_batching_cfg",
       {{"detail_fetch_batch_size", "details.batch", Kind::kInteger},
        {"detail_fetch_threshold", "details.threshold", Kind::kInteger},
        {"detail_combine_threshold", "details.combine_threshold", Kind::kInteger},
        {"refresh_batch_size", "refresh.batch", Kind::kInteger},
        {"refresh_threshold", "refresh.threshold", Kind::kInteger},
        {"refresh_combine_threshold", "refresh.combine_threshold", Kind::kInteger},
        {"run_requests_max", "budget.requests", Kind::kInteger},
        {"run_records_max", "budget.records", Kind::kInteger},
        {"run_time_millis", "budget.time", Kind::kMillis},
        {"run_pause_millis", "budget.pause", Kind::kMillis},
        {"operation_quota_json", "budget.quota", Kind::kTree},
        {"open_tasks_max", "budget.open_tasks", Kind::kInteger}}},
      {"reg_prov_retry_cfg",
       {{"max_attempts", "retry.attempts", Kind::kInteger},
        {"backoff_policy_type_code", "retry.backoff", Kind::kCode},
        {"initial_delay_millis", "retry.first", Kind::kMillis},
        {"max_delay_millis", "retry.most", Kind::kMillis},
        {"exp_multiplier_value", "retry.factor", Kind::kNumber},
        {"jitter_factor_ratio", "retry.jitter"},
        {"retry_http_status_json", "retry.statuses", Kind::kTree},
        {"giveup_http_status_json", "retry.give_up", Kind::kTree},
        {"retry_on_network_error", "retry.network", Kind::kFlag},
        {"retry_after_cap_millis", "retry.retry_after_cap", Kind::kMillis},
        {"circuit_break_threshold", "retry.circuit_failures", Kind::kInteger},
        {"circuit_cooldown_millis", "retry.circuit_cool_down", Kind::kMillis},
        {"error_rules_json", "errors", Kind::kTree}}},
      {"reg_prov_rate_limit_cfg",
       {{"rate_value", "rate"},
        {"page_url", "page"},
        {"burst_bucket_capacity", "burst", Kind::kInteger},
        {"max_concurrent_requests", "concurrency", Kind::kInteger},
        {"quota_json", "quota", Kind::kTree},
        {"quota_reserve_ratio", "reserve"},
        {"bucket_granularity_scope_code", "per", Kind::kCode},
        {"learn_from_headers_json", "learn_from", Kind::kTree},
        {"slow_down_factor", "slow_down", Kind::kNumber},
        {"rate_min_per_second", "least", Kind::kNumber},
        {"warm_up_millis", "warm_up", Kind::kMillis},
        {"quota_timezone", "zone"},
        {"urgent_quota_ratio", "urgent_quota"},
        {"urgent_rate_ratio", "urgent_rate"},
        {"ceiling_rate_value", "ceiling"}},
       "limits"},
      {"reg_prov_credential",
       {{"auth_type", "auth.type", Kind::kCode},
        {"is_auth_required", "auth.required", Kind::kFlag},
        {"inbound_location_code", "auth.in", Kind::kCode},
        {"credential_field_name", "auth.name"},
        {"credential_value_prefix", "auth.prefix"},
        {"credential_value_refs", "auth.keys", Kind::kTree},
        {"credential_order_code", "auth.order", Kind::kCode},
        {"basic_username_ref", "auth.username"},
        {"basic_password_ref", "auth.password"},
        {"oauth_token_url", "auth.token_url"},
        {"oauth_client_id_ref", "auth.client_id"},
        {"oauth_client_secret_ref", "auth.client_secret"},
        {"oauth_scope", "auth.scope"},
        {"oauth_audience", "auth.audience"},
        {"oauth_refresh_before_millis", "auth.refresh_before", Kind::kMillis},
        {"signing_hook", "auth.signing"}}},
      {"reg_prov_api_param_map", {{"provider_param_name", ""}}, "expressions.parameters"},
      {"reg_prov_expr_capability",
       {{"and_joiner", "expressions.and"},
        {"or_joiner", "expressions.or"},
        {"not_prefix", "expressions.not"}}},
      {"reg_prov_expr_render_rule",
       {{"template", "render"},
        {"is_negatable", "negatable", Kind::kFlag},
        {"in_max_size", "values_max", Kind::kInteger},
        {"joiner", "joiner"},
        {"param_name", "parameter"}},
       "expressions.fields"}};
  return kTables;
}

std::string InCase(std::string text, bool upper) {
  for (auto& c : text) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// JSON in a column is text; scalars of a definition keep what was written.
Value TreeOf(const DefinitionNode& node) {
  if (node.is_null()) return {};
  if (node.is_scalar()) return node.text;
  if (node.is_list()) {
    Value::Array list;
    for (const auto& item : node.items) list.push_back(TreeOf(item));
    return list;
  }
  Value::Object object;
  for (const auto& member : node.members) object.emplace(member.name, TreeOf(member.node));
  return object;
}

Value ColumnOf(const DefinitionNode& node, const Mapped& mapped) {
  switch (mapped.kind) {
    case Kind::kText:
      return node.text;
    case Kind::kCode:
      return InCase(node.text, true);
    case Kind::kInteger: {
      std::int64_t number = 0;
      std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
      return number;
    }
    case Kind::kNumber: {
      double number = 0;
      std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
      return number;
    }
    case Kind::kFlag:
      return std::int64_t{node.text == "true" ? 1 : 0};
    case Kind::kMillis: {
      const auto length = ParseDuration(node.text).value_or(Duration(0));
      return std::chrono::duration_cast<std::chrono::milliseconds>(length).count();
    }
    case Kind::kTree:
      // A request's body has types; everything else is what somebody wrote.
      return PrintJson(mapped.path == "request.json" ? node.ToValue() : TreeOf(node));
    case Kind::kPairs: {
      Value::Array pairs;
      for (const auto& member : node.members) {
        Value::Array pair;
        pair.emplace_back(member.name);
        pair.push_back(TreeOf(member.node));
        pairs.emplace_back(std::move(pair));
      }
      return PrintJson(pairs);
    }
  }
  return {};
}

DefinitionNode NodeOf(const Value& value) {
  if (value.is_null()) return {};
  if (const auto* list = value.AsArray()) {
    DefinitionNode node{.kind = DefinitionNode::Kind::kList};
    for (const auto& item : *list) node.items.push_back(NodeOf(item));
    return node;
  }
  if (const auto* object = value.AsObject()) {
    auto node = DefinitionNode::Map();
    for (const auto& [name, member] : *object) node.Set(name, NodeOf(member));
    return node;
  }
  const auto* text = value.AsString();
  return DefinitionNode::Scalar(value, text != nullptr ? *text : PrintJson(value));
}

DefinitionNode NodeOfColumn(const Value& column, Kind kind) {
  switch (kind) {
    case Kind::kText:
    case Kind::kInteger:
    case Kind::kNumber:
      return NodeOf(column);
    case Kind::kCode:
      return DefinitionNode::Text(InCase(*column.AsString(), false));
    case Kind::kFlag:
      return NodeOf(*column.AsInteger() != 0);
    case Kind::kMillis:
      return DefinitionNode::Text(FormatDuration(std::chrono::milliseconds(*column.AsInteger())));
    case Kind::kTree:
      return NodeOf(ParseJson(*column.AsString()).value_or(Value()));
    case Kind::kPairs: {
      auto node = DefinitionNode::Map();
      const auto pairs = ParseJson(*column.AsString()).value_or(Value(Value::Array{}));
      for (const auto& pair : *pairs.AsArray())
        node.Set(*pair.AsArray()->at(0).AsString(), NodeOf(pair.AsArray()->at(1)));
      return node;
    }
  }
  return {};
}

DefinitionNode& Reach(DefinitionNode& node, std::string_view path) {
  auto* at = &node;
  while (!path.empty()) {
    const auto dot = path.find('.');
    const std::string name(path.substr(0, dot));
    auto* found = at->Find(name);
    at = found != nullptr ? found : &at->Set(name, DefinitionNode::Map());
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return *at;
}

// One level of a definition on its way into rows.
struct Level {
  const DefinitionNode& node;
  std::string provenance;
  std::string endpoint;
  std::string operation;

  RegistryRow RowOf(const MappedTable& table, const DefinitionNode& part, std::string item) const {
    RegistryRow row{std::string(table.name), provenance, endpoint, operation, std::move(item), {}};
    for (const auto& mapped : table.columns) {
      const auto* value = mapped.path.empty() ? &part : part.At(mapped.path);
      if (value != nullptr && !value->is_null())
        row.columns.emplace(mapped.column, ColumnOf(*value, mapped));
    }
    return row;
  }
};

void AddLevel(const Level& level, std::vector<RegistryRow>& rows) {
  const bool is_source = level.endpoint == "*" && level.operation == "ALL";
  for (const auto& table : Mapping()) {
    if (table.name == "reg_provenance" && !is_source) continue;
    if (table.list.empty()) {
      auto row = level.RowOf(table, level.node, "");
      if (!row.columns.empty() || table.name == "reg_provenance") rows.push_back(std::move(row));
      continue;
    }
    const auto* list = level.node.At(table.list);
    if (list == nullptr) continue;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      rows.push_back(level.RowOf(table, list->items[i], fmt::format("{:03}", i)));
    for (std::size_t i = 0; i < list->members.size(); ++i) {
      const auto& [name, place, node] = list->members[i];
      if (table.name != "reg_prov_expr_render_rule") {
        rows.push_back(level.RowOf(table, node, name));
        continue;
      }
      for (const auto& rule : node.members)
        rows.push_back(level.RowOf(table, rule.node, name + "/" + rule.name));
    }
  }
}

void AddWithOperations(const DefinitionNode& node, const std::string& provenance,
                       const std::string& endpoint, std::vector<RegistryRow>& rows) {
  AddLevel({node, provenance, endpoint, "ALL"}, rows);
  if (const auto* operations = node.Find("operations")) {
    for (const auto& [name, place, level] : operations->members)
      AddLevel({level, provenance, endpoint, InCase(name, true)}, rows);
  }
}

void AddRow(const RegistryRow& row, DefinitionNode& level) {
  const auto table = std::ranges::find(Mapping(), row.table, &MappedTable::name);
  PATRA_ASSERT(table != Mapping().end());
  auto* part = &level;
  if (!table->list.empty()) {
    auto& list = Reach(level, table->list);
    if (table->list == "limits") {
      list.kind = DefinitionNode::Kind::kList;
      part = &list.items.emplace_back(DefinitionNode::Map());
    } else if (row.table == "reg_prov_expr_render_rule") {
      auto path = row.item;
      std::ranges::replace(path, '/', '.');
      part = &Reach(list, path);
    } else {
      list.Set(row.item, NodeOf(row.columns.begin()->second));
      return;
    }
  }
  for (const auto& mapped : table->columns) {
    const auto column = row.columns.find(std::string(mapped.column));
    if (column == row.columns.end()) continue;
    const auto dot = mapped.path.rfind('.');
    auto& parent = dot == std::string_view::npos ? *part : Reach(*part, mapped.path.substr(0, dot));
    parent.Set(
        std::string(dot == std::string_view::npos ? mapped.path : mapped.path.substr(dot + 1)),
        NodeOfColumn(column->second, mapped.kind));
  }
}

}  // namespace

const std::vector<RegistryTable>& RegistryTables() {
  static const std::vector<RegistryTable> kTables = [] {
    std::vector<RegistryTable> tables;
    for (const auto& mapped : Mapping()) {
      auto& table = tables.emplace_back(RegistryTable{mapped.name, {}});
      for (const auto& column : mapped.columns) table.columns.push_back(column.column);
    }
    return tables;
  }();
  return kTables;
}

std::vector<RegistryRow> RowsOf(const DefinitionNode& definition) {
  std::vector<RegistryRow> rows;
  const auto* source = definition.Find("source");
  const auto provenance = source != nullptr ? source->text : std::string();
  AddWithOperations(definition, provenance, "*", rows);
  if (const auto* endpoints = definition.Find("endpoints")) {
    for (const auto& [name, place, endpoint] : endpoints->members)
      AddWithOperations(endpoint, provenance, name, rows);
  }
  return rows;
}

DefinitionNode DefinitionOf(const std::vector<RegistryRow>& rows) {
  auto definition = DefinitionNode::Map();
  for (const auto& row : rows) {
    definition.Set("source", DefinitionNode::Text(row.provenance));
    auto* level = &definition;
    if (row.endpoint != "*") level = &Reach(definition, "endpoints." + row.endpoint);
    if (row.operation != "ALL")
      level = &Reach(*level, "operations." + InCase(row.operation, false));
    AddRow(row, *level);
  }
  return definition;
}

}  // namespace patra::infra::sql
