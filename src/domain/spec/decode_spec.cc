#include "domain/spec/decode_spec.h"

#include <algorithm>

#include "base/moment.h"
#include "domain/spec/scalars.h"

namespace patra::domain {
namespace {

// Beginning below the provider's own maximum leaves room for what it counts otherwise.
constexpr std::int64_t kPageSizePercent = 80;
constexpr std::int64_t kPageSize = 100;

HttpSpec DecodeHttp(const NodeReader& root) {
  const HttpSpec defaults;
  HttpSpec http{
      .method = root.Code("request.method", HttpMethod::kGet),
      .base_url = root.Text("http.base_url", ""),
      .path = root.Text("request.path", ""),
      .query = root.Named("request.query"),
      .headers = root.Named("http.headers"),
      .form_body = root.Named("request.form"),
      .contact = root.Text("http.contact"),
      .proxy = root.Text("http.proxy"),
      .connect_timeout = root.Length("http.timeout.connect").value_or(defaults.connect_timeout),
      .read_timeout = root.Length("http.timeout.read").value_or(defaults.read_timeout),
      .total_timeout = root.Length("http.timeout.total").value_or(defaults.total_timeout),
      .redirects_max = static_cast<int>(root.Integer("http.redirects").value_or(0)),
      .hosts = root.Texts("http.hosts"),
      .compression = root.Flag("http.compression", true)};
  while (http.base_url.ends_with('/')) http.base_url.pop_back();
  for (auto& header : root.Named("request.headers")) http.headers.push_back(std::move(header));
  if (root.Part("request.follow_up").node() != nullptr)
    http.next_query = root.Named("request.follow_up.query");
  if (const auto* json = root.Part("request.json").node()) http.json_body = json->ToValue();
  return http;
}

AuthSpec DecodeAuth(const NodeReader& auth) {
  const AuthSpec defaults;
  AuthSpec spec{.type = auth.Code("type", AuthType::kNone),
                .required = auth.Flag("required", false),
                .location = auth.Code("in", AuthLocation::kHeader),
                .name = auth.Text("name", ""),
                .prefix = auth.Text("prefix", ""),
                .username = auth.Reference("username"),
                .password = auth.Reference("password"),
                .token_url = auth.Text("token_url"),
                .client_id = auth.Reference("client_id"),
                .client_secret = auth.Reference("client_secret"),
                .scope = auth.Text("scope"),
                .audience = auth.Text("audience"),
                .refresh_before = auth.Length("refresh_before").value_or(defaults.refresh_before),
                .signing_hook = auth.Text("signing")};
  for (const auto& key : auth.Texts("keys")) {
    if (auto reference = ParseReference(key)) spec.credentials.push_back(*std::move(reference));
  }
  if (const auto order = auth.Text("order")) spec.key_order = FindCode<KeyOrder>(*order);
  const bool is_authorization = spec.type == AuthType::kBearer || spec.type == AuthType::kOauth2;
  if (is_authorization && spec.name.empty()) {
    spec.name = "Authorization";
    if (spec.prefix.empty()) spec.prefix = "Bearer ";
  }
  return spec;
}

// A short page is the end where a total would say otherwise. Without one the provider may send fewer than it is asked
// for, and only a page without records tells.
std::vector<WalkEnd> UsualEnds(PagingStyle style, bool has_more, bool has_total) {
  if (has_more) return {WalkEnd::kHasMoreFalse};
  switch (style) {
    case PagingStyle::kToken:
    case PagingStyle::kUrl:
      return {WalkEnd::kNoToken};
    case PagingStyle::kOffset:
    case PagingStyle::kPage:
      return {has_total ? WalkEnd::kShortPage : WalkEnd::kEmptyPage};
    case PagingStyle::kTime:
      return {};
  }
  return {};
}

PagingSpec DecodePaging(const NodeReader& paging, bool has_total) {
  PagingSpec spec{.style = paging.Code("style", PagingStyle::kPage),
                  .by = paging.Code("by", PagedBy::kPlace),
                  .size_max = paging.Integer("size_max"),
                  .first_page = paging.Integer("first_page").value_or(1),
                  .first_token = paging.Text("first"),
                  .next = paging.Text("next"),
                  .next_in_link_header = paging.Flag("link_header", false),
                  .next_header = paging.Text("next_header"),
                  .replayable = paging.Flag("replayable", true),
                  .token_lifetime = paging.Length("lifetime"),
                  .ends = paging.Codes<WalkEnd>("ends"),
                  .has_more = paging.Text("has_more"),
                  .pages_max = paging.Integer("pages_max"),
                  .reach = paging.Integer("reach"),
                  .tail_probe = paging.Flag("tail_probe", false)};
  if (const auto kind = paging.Text("token")) spec.token_kind = FindCode<TokenKind>(*kind);
  const auto most = spec.size_max
                        ? std::max<std::int64_t>(1, *spec.size_max * kPageSizePercent / 100)
                        : kPageSize;
  spec.size = paging.Integer("size").value_or(most);
  if (spec.style == PagingStyle::kOffset) spec.first_page = 0;
  const bool ends_with_empty_page = spec.ends.empty() && !spec.has_more && !has_total;
  spec.step = paging.Code("step", ends_with_empty_page ? OffsetStep::kReceived : OffsetStep::kSize);
  if (spec.ends.empty()) spec.ends = UsualEnds(spec.style, spec.has_more.has_value(), has_total);
  if (const auto* list = paging.Part("split_by").node()) {
    for (const auto& item : list->items) {
      const NodeReader dimension(&item);
      spec.split_by.push_back({.name = dimension.Text("name", ""),
                               .kind = dimension.Code("kind", SplitKind::kDate),
                               .values = dimension.Texts("values")});
    }
  }
  return spec;
}

WindowSpec DecodeWindow(const NodeReader& window, const std::string& timezone) {
  const WindowSpec defaults;
  WindowSpec spec{
      .filter = window.Code("filter", WindowFilter::kServer),
      .safety_lag = window.Length("safety_lag").value_or(defaults.safety_lag),
      .safety_lag_max = window.Length("safety_lag_max").value_or(defaults.safety_lag_max),
      .longest = window.Length("longest"),
      .lookback = window.Length("lookback").value_or(Duration(0)),
      .watermark_key = window.Text("by", defaults.watermark_key),
      .granularity = window.Code("granularity", Granularity::kSecond),
      .ends = window.Code("ends", WindowEnds::kExclusive),
      .updated_is_filtered = window.Flag("updated_is_filtered", false),
      .settles = window.Flag("settles", false),
      .outside_max = window.Part("outside_max", kOutsideMax),
      .timezone = window.Text("timezone", timezone)};
  if (const auto start = window.Text("start")) {
    spec.start = ParseMoment(*start, Instant()).value_or(Instant());
  }
  const auto step = LengthOf(spec.granularity);
  spec.align = window.Length("align").value_or(std::max<Duration>(defaults.align, step));
  spec.width_min = std::max<Duration>(defaults.width_min, spec.align);
  spec.width = std::max<Duration>(defaults.width, spec.align);
  spec.width_max = spec.width;
  if (const auto text = window.Text("width")) {
    if (const auto widths = ParseWidths(*text)) {
      spec.width = widths->first;
      spec.width_max = widths->most.value_or(widths->first);
      spec.width_min = widths->least.value_or(std::min(spec.width_min, spec.width));
    }
  }
  return spec;
}

OrderSpec DecodeOrder(const NodeReader& order) {
  return {.by = order.Text("by", "updated"),
          .direction = order.Code("direction", SortDirection::kDesc),
          .stable = order.Flag("stable", false)};
}

ResponseSpec DecodeResponse(const NodeReader& response, const std::string& timezone) {
  ResponseSpec spec{.format = response.Code("format", ResponseFormat::kJson),
                    .items = response.Text("items.path", ""),
                    .one_record = response.Flag("one_record", false),
                    .repeats = response.Flag("repeats", false),
                    .envelope = response.Text("envelope"),
                    .columns = response.Text("columns"),
                    .id = response.Texts("id.paths"),
                    .id_join = response.Text("id.join", ":"),
                    .id_case = response.Code("id.case", TextCase::kAsIs),
                    .updated = response.Text("updated.path"),
                    .updated_formats = response.Texts("updated.format"),
                    .updated_may_lie_ahead = response.Flag("updated.may_lie_ahead", false),
                    .version = response.Text("version"),
                    .deleted = response.Text("deleted"),
                    .merged_into = response.Text("merged_into"),
                    .retracts = response.Text("retracts"),
                    .total = response.Text("total.path"),
                    .namespaces = response.Named("namespaces"),
                    .timezone = response.Text("timezone", timezone)};
  if (const auto missing = response.Text("items.missing"))
    spec.items_missing = FindCode<ItemsMissing>(*missing);
  spec.total_kind = response.Code("total.is", spec.total ? TotalKind::kExact : TotalKind::kNone);
  if (spec.total_kind == TotalKind::kNone) {
    spec.total.reset();
  } else {
    spec.total_on_first_page =
        response.Code("total.on", TotalPages::kEveryPage) == TotalPages::kFirstPage;
    if (spec.total_kind == TotalKind::kEstimate)
      spec.total_within = response.Part("total.within", 0.05);
  }
  return spec;
}

std::vector<FieldSpec> DecodeFields(const DefinitionNode* fields) {
  std::vector<FieldSpec> specs;
  if (fields == nullptr) return specs;
  for (const auto& member : fields->members) {
    const NodeReader field(&member.node);
    specs.push_back({.name = member.name,
                     .path = field.Text("path", ""),
                     .type = field.Code("as", FieldType::kAny),
                     .required = field.Flag("required", false),
                     .many = field.Flag("many", false),
                     .join = field.Text("join"),
                     .formats = field.Texts("format"),
                     .one_of = field.Texts("enum"),
                     .pattern = field.Text("pattern"),
                     .keep_when_empty = field.Flag("keep_when_empty", false),
                     .signal_when_empty = field.Flag("signal_when_empty", false)});
  }
  return specs;
}

std::vector<LimitSpec> DecodeLimits(const DefinitionNode* limits) {
  std::vector<LimitSpec> specs;
  if (limits == nullptr) return specs;
  const LimitSpec defaults;
  for (const auto& item : limits->items) {
    const NodeReader limit(&item);
    LimitSpec spec{.rate = limit.Rate("rate"),
                   .burst = limit.Integer("burst").value_or(defaults.burst),
                   .concurrency = limit.Integer("concurrency"),
                   .quota_reserve = limit.Part("reserve", defaults.quota_reserve),
                   .per = limit.Code("per", RateScope::kEndpoint),
                   .learn_from = limit.Texts("learn_from"),
                   .slow_down_factor = limit.Number("slow_down", defaults.slow_down_factor),
                   .rate_min_per_second = limit.Number("least", defaults.rate_min_per_second),
                   .warm_up = limit.Length("warm_up").value_or(Duration(0)),
                   .quota_zone = limit.Text("zone"),
                   .ceiling = limit.Rate("ceiling")};
    if (limit.Text("urgent_rate")) spec.urgent_rate = limit.Part("urgent_rate", 0);
    if (limit.Text("urgent_quota")) spec.urgent_quota = limit.Part("urgent_quota", 0);
    for (const auto& quota : limit.Texts("quota")) {
      if (const auto rate = ParseRate(quota)) spec.quotas.push_back(*rate);
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::optional<BudgetSpec> DecodeBudget(const NodeReader& budget) {
  if (budget.node() == nullptr) return std::nullopt;
  const BudgetSpec defaults;
  BudgetSpec spec{.requests_max = budget.Integer("requests"),
                  .records_max = budget.Integer("records"),
                  .duration_max = budget.Length("time"),
                  .pause = budget.Length("pause").value_or(defaults.pause),
                  .open_tasks_max = budget.Integer("open_tasks")};
  for (const auto& quota : budget.Texts("quota")) {
    if (const auto rate = ParseRate(quota)) spec.quotas.push_back(*rate);
  }
  return spec;
}

std::optional<FreshnessSpec> DecodeFreshness(const NodeReader& freshness) {
  const auto within = freshness.Length("within");
  if (!within) return std::nullopt;
  return FreshnessSpec{.within = *within,
                       .parts = static_cast<int>(freshness.Integer("parts").value_or(1))};
}

RetrySpec DecodeRetry(const NodeReader& retry) {
  const RetrySpec defaults;
  RetrySpec spec{
      .attempts_max = retry.Integer("attempts").value_or(defaults.attempts_max),
      .first_delay = retry.Length("first").value_or(defaults.first_delay),
      .delay_max = retry.Length("most").value_or(defaults.delay_max),
      .factor = retry.Number("factor", defaults.factor),
      .jitter = retry.Part("jitter", defaults.jitter),
      .statuses = retry.Statuses("statuses"),
      .give_up = retry.Statuses("give_up"),
      .network_errors = retry.Flag("network", true),
      .retry_after_cap = retry.Length("retry_after_cap"),
      .circuit_failures_max =
          retry.Integer("circuit_failures").value_or(defaults.circuit_failures_max),
      .circuit_cool_down = retry.Length("circuit_cool_down").value_or(defaults.circuit_cool_down)};
  if (const auto curve = retry.Text("backoff")) spec.backoff = FindCode<BackoffCurve>(*curve);
  return spec;
}

std::vector<ErrorRule> DecodeErrors(const DefinitionNode* errors) {
  std::vector<ErrorRule> rules;
  if (errors == nullptr) return rules;
  for (const auto& item : errors->items) {
    const NodeReader rule(&item);
    rules.push_back({.statuses = rule.Statuses("status"),
                     .header = rule.Text("header"),
                     .header_matches = rule.Text("header_matches"),
                     .body = rule.Text("body"),
                     .text = rule.Text("text"),
                     .action = rule.Code("then", ErrorAction::kFail),
                     .until = rule.Text("until")});
  }
  return rules;
}

ExprSpec DecodeExpressions(const NodeReader& expressions, const std::string& timezone) {
  const ExprSpec defaults;
  ExprSpec spec{.timezone = timezone,
                .and_joiner = expressions.Text("and", defaults.and_joiner),
                .or_joiner = expressions.Text("or", defaults.or_joiner),
                .not_prefix = expressions.Text("not", defaults.not_prefix),
                .parameters = expressions.Named("parameters")};
  const auto* fields = expressions.Part("fields").node();
  if (fields == nullptr) return spec;
  const ExprField usual;
  for (const auto& field : fields->members) {
    for (const auto& member : field.node.members) {
      const NodeReader rule(&member.node);
      spec.fields.push_back(
          {.field = field.name,
           .op = FindCode<ExprOperator>(member.name).value_or(ExprOperator::kTerm),
           .negatable = rule.Flag("negatable", false),
           .values_max = rule.Integer("values_max").value_or(0),
           .render = rule.Text("render", ""),
           .joiner = rule.Text("joiner", usual.joiner),
           .parameter = rule.Text("parameter")});
    }
  }
  return spec;
}

std::optional<HookSpec> HooksIn(const NodeReader& hooks) {
  HookSpec spec{.request = hooks.Text("request"),
                .response = hooks.Text("response"),
                .paging = hooks.Text("paging")};
  return spec == HookSpec{} ? std::nullopt : std::optional(std::move(spec));
}

}  // namespace

SpecSnapshot DecodeSpec(const MergedView& view, const std::string& source,
                        const std::string& timezone, Operation operation) {
  const NodeReader root(&view.root());
  auto response = DecodeResponse(root.Part("response"), timezone);
  std::optional<GonePolicy> gone;
  if (const auto code = root.Text("gone")) gone = FindCode<GonePolicy>(*code);
  return {.provenance = source,
          .endpoint = view.endpoint(),
          .operation = std::string(Code(operation)),
          .role = root.Code("role", EndpointRole::kSearch),
          .timezone = timezone,
          .params = root.Named("params"),
          .cost = root.Integer("cost").value_or(1),
          .keep_raw_pages = root.Flag("raw_pages", true),
          .http = DecodeHttp(root),
          .auth = DecodeAuth(root.Part("auth")),
          .paging = DecodePaging(root.Part("paging"), response.total_kind == TotalKind::kExact),
          .window = DecodeWindow(root.Part("window"), timezone),
          .order = DecodeOrder(root.Part("order")),
          .cursor_scope = root.Code("cursor", CursorScope::kExpr),
          .gone = gone,
          .freshness = DecodeFreshness(root.Part("freshness")),
          .response = std::move(response),
          .fields = DecodeFields(view.At("fields")),
          .limits = DecodeLimits(view.At("limits")),
          .budget = DecodeBudget(root.Part("budget")),
          .retry = DecodeRetry(root.Part("retry")),
          .errors = DecodeErrors(view.At("errors")),
          .hooks = HooksIn(root.Part("hooks")),
          .expr = DecodeExpressions(root.Part("expressions"), timezone)};
}

}  // namespace patra::domain
