#include "domain/spec/check_spec.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/url.h"
#include "domain/hook/provider_hooks.h"
#include "domain/spec/check_limits.h"
#include "domain/spec/check_response.h"
#include "domain/spec/check_subject.h"
#include "domain/spec/check_templates.h"
#include "domain/spec/check_window.h"

namespace patra::domain {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTotalTimeoutMax = 120s;
constexpr int kRedirectsMax = 3;
constexpr std::int64_t kIdBatchMax = 500;
constexpr std::int64_t kIdBatchUsual = 200;
constexpr int kFreshPartsMax = 1'000;

using Subject = CheckSubject;

// Check 1: the endpoint's demand for credentials is met.
void CheckAuth(const Subject& on) {
  const auto& auth = on.spec.auth;
  on.Require(!auth.required || auth.type != AuthType::kNone, "auth",
             "the endpoint requires authentication and none is declared");
  switch (auth.type) {
    case AuthType::kNone:
      break;
    case AuthType::kApiKey:
      on.Require(!auth.name.empty(), "auth.name", "an api_key needs the name of its place");
      [[fallthrough]];
    case AuthType::kBearer:
      on.Require(!auth.credentials.empty(), "auth.keys", "there is no reference to a key",
                 "keys: ${env:NAME}");
      break;
    case AuthType::kBasic:
      on.Require(auth.username && auth.password, "auth", "basic needs username and password");
      break;
    case AuthType::kOauth2:
      on.Require(auth.token_url && auth.client_id && auth.client_secret, "auth",
                 "oauth2 needs token_url, client_id and client_secret");
      break;
    case AuthType::kCustom:
      break;  // check 9
  }
  on.Require(auth.location != AuthLocation::kBody || on.spec.http.method != HttpMethod::kGet,
             "auth.in", "a GET request has no body for a credential");
}

// Where the next token is found, and what it is.
void CheckToken(const Subject& on) {
  const auto& paging = on.spec.paging;
  on.Require(!paging.next_header || (!paging.next && !paging.next_in_link_header),
             "paging.next_header", "it is said in more than one way where the next one is found",
             "leave one of `next`, `next_header` and `link_header` out");
  if (!paging.token_kind || paging.token_kind == TokenKind::kText) return;
  const auto kind = LowerCode(CodeOf(*paging.token_kind));
  on.Require(paging.style == PagingStyle::kToken, "paging.token",
             fmt::format("paging by url follows links, and knows no `token: {}`", kind));
  on.Require(paging.next.has_value(), "paging.token",
             fmt::format("`token: {}` is read from the document", kind), "next: $.PATH");
  on.Require(on.spec.response.format != ResponseFormat::kXml, "paging.token",
             fmt::format("XML has no values for `token: {}`", kind), "leave it out");
  on.Require(!paging.first_token, "paging.first",
             fmt::format("the first request has no token where it is `token: {}`", kind),
             "leave it out");
}

std::string StylesToChoose() {
  std::vector<std::string> styles;
  for (const auto& [style, code] : CodesOf(PagingStyle())) styles.push_back(LowerCode(code));
  return fmt::format(
      "it is one of {}; a list that comes in one answer is `style: url, link_header: true`: no "
      "link "
      "leads on from it",
      fmt::join(styles, ", "));
}

// Check 2: the paging style has the paths it lives on, and none of another style.
void CheckPaging(const Subject& on) {
  const auto& paging = on.spec.paging;
  const auto style = LowerCode(CodeOf(paging.style));
  if (IsWalked(on.spec.role))
    on.Require(on.view.IsDeclared("paging.style"), "paging.style", "the paging style is missing",
               StylesToChoose());
  switch (paging.style) {
    case PagingStyle::kToken:
      on.Require(paging.next || paging.next_header || HookGivesNext(on.spec.hooks), "paging.next",
                 "paging by token needs the path `next`, or `next_header`");
      break;
    case PagingStyle::kUrl:
      on.Require(paging.next || paging.next_header || paging.next_in_link_header, "paging.next",
                 "paging by url needs the path `next`, `next_header` or link_header: true");
      break;
    case PagingStyle::kPage:
      if (on.view.IsDeclared("paging.style"))
        on.Require(on.view.IsDeclared("paging.first_page"), "paging.first_page",
                   "it is not said whether pages count from 0 or from 1");
      break;
    case PagingStyle::kTime:
      on.Require(on.spec.window.filter == WindowFilter::kServer || on.spec.order.stable, "paging",
                 "paging by time needs a window that the provider keeps to, or a stable order");
      break;
    case PagingStyle::kOffset:
      on.Require(!on.view.IsDeclared("paging.first_page"), "paging.first_page",
                 "an offset counts the records to skip, from 0 on: it has no first page",
                 "leave it out; `first_page: ~` where the source says one for other endpoints");
      break;
  }
  const bool by_token = paging.style == PagingStyle::kToken || paging.style == PagingStyle::kUrl;
  static constexpr auto kOfTokens =
      std::to_array({"next", "next_header", "token", "first", "lifetime"});
  static constexpr auto kOfNumbers = std::to_array({"first_page", "step", "pages_max"});
  const auto refuse = [&](const char* key) {
    const auto path = fmt::format("paging.{}", key);
    on.Require(!on.view.IsDeclared(path), path,
               fmt::format("paging by {} knows no `{}`", style, key));
  };
  if (by_token) {
    std::ranges::for_each(kOfNumbers, refuse);
    CheckToken(on);
  } else {
    std::ranges::for_each(kOfTokens, refuse);
  }
  on.Require(paging.size >= 1, "paging.size", "a page has at least one record");
  if (paging.pages_max)
    on.Require(*paging.pages_max >= 1, "paging.pages_max", "there is at least one page");
  if (std::ranges::find(paging.ends, WalkEnd::kHasMoreFalse) != paging.ends.end())
    on.Require(paging.has_more.has_value(), "paging.ends",
               "has_more_false needs the path has_more");
  if (std::ranges::find(paging.ends, WalkEnd::kTotalReached) != paging.ends.end())
    on.Require(on.spec.response.total_kind == TotalKind::kExact, "paging.ends",
               "total_reached needs an exact total");
  if (std::ranges::find(paging.ends, WalkEnd::kSameToken) != paging.ends.end())
    on.Require(paging.replayable, "paging.ends",
               "same_token cannot end a walk whose token never changes");
  for (const auto& dimension : paging.split_by) {
    on.Require(dimension.kind != SplitKind::kValues || !dimension.values.empty(), "paging.split_by",
               fmt::format("'{}' has no values to split by", dimension.name));
  }
  CheckPath(on, paging.next, "paging.next");
  CheckPath(on, paging.has_more, "paging.has_more");
}

// A second walk costs as much as the first: whoever knows that it is not needed can say so.
void WarnOfSecondWalks(const Subject& on) {
  if (!IsWalked(on.spec.role) || !AreCountedByPlace(on.spec) || TotalTellsOfMoves(on.spec)) return;
  on.Warn(
      "paging.by", "lists of several pages are walked twice: one that came may hide one that left",
      "once is enough with `by: key` or `snapshot`, with `order: {stable: true}`, or with an exact "
      "total and `window: {settles: true}`");
}

// Check 4: both phases are there.
void CheckTwoPhase(const Subject& on) {
  if (!on.spec.details) return;
  const std::string key = on.spec.details->for_update_only ? "refresh" : "details";
  const auto batch = on.spec.details->id_batch_size;
  on.Require(batch >= 1 && batch <= kIdBatchMax, key + ".batch",
             fmt::format("a batch has 1 to {} ids", kIdBatchMax));
  if (batch >= 1 && batch < kIdBatchUsual && key == "details")
    on.Warn("details.batch", fmt::format("{} ids per request are few", batch),
            "200 to 500 are usual");
  const auto check_threshold = [&](std::string_view name, std::optional<std::int64_t> threshold) {
    if (!threshold) return;
    on.Require(*threshold >= 1 && *threshold <= batch, fmt::format("{}.{}", key, name),
               fmt::format("it is 1 to {}, as many ids as a request has", batch));
  };
  check_threshold("threshold", on.spec.details->threshold);
  check_threshold("combine_threshold", on.spec.details->combine_threshold);
  on.Require(
      on.spec.fields.empty() || on.spec.details->for_update_only, "fields",
      fmt::format("fields belong to '{}', which gives the details", on.spec.details->endpoint));
  const auto uses_ids = [](const NamedTexts& texts) {
    return std::ranges::any_of(
        texts, [](const auto& named) { return named.second.find("ids") != std::string::npos; });
  };
  const auto& http = on.spec.details->http;
  const bool asks_for_ids = uses_ids(http.query) || uses_ids(http.form_body) ||
                            http.path.find("ids") != std::string::npos || !http.json_body.is_null();
  on.Require(asks_for_ids, key + ".endpoint",
             fmt::format("'{}' does not ask for ${{ids}}", on.spec.details->endpoint));
}

// Check 7, that every code is known, is CheckShape's: the codes are part of the grammar.

// Check 8: what can be done with the endpoint, and whose watermark it moves.
void CheckOperation(const Subject& on) {
  const bool walks = on.operation != Operation::kUpdate;
  on.Require(
      !walks || IsWalked(on.spec.role), "role",
      fmt::format("an endpoint of role {} cannot be walked", LowerCode(CodeOf(on.spec.role))),
      "harvest the endpoint that lists its ids");
  for (const auto* key : {"details", "refresh"}) {
    on.Require(on.spec.role != EndpointRole::kMetrics || !on.view.Has(key), key,
               "measurements come with their list and are not asked for by ids",
               "leave it out, or write `role: search`");
  }
  const auto* cursor = on.view.At("cursor");
  const bool is_chosen = cursor != nullptr && cursor->layer == Layer::kSubConfig;
  on.Require(on.operation == Operation::kHarvest || !is_chosen, "cursor",
             "only a harvest can choose its watermark's scope",
             "backfills and updates have their own");
}

// How often records are looked at: only where they can be had by their ids.
void CheckFreshness(const Subject& on) {
  const auto& freshness = on.spec.freshness;
  if (!freshness) return;
  on.Require(freshness->within > Duration(0), "freshness.within",
             "it has to be longer than nothing");
  on.Require(freshness->parts >= 1 && freshness->parts <= kFreshPartsMax, "freshness.parts",
             fmt::format("1 to {} parts", kFreshPartsMax));
  const bool is_listed = on.spec.role == EndpointRole::kSearch;
  if (is_listed && !on.view.Has("details") && !on.view.Has("refresh"))
    on.Warn("freshness", "no endpoint gives these records by their ids",
            "add `refresh: ENDPOINT` with `role: detail`");
}

// Only a list that is read whole by every harvest tells by what it lacks.
void CheckGone(const Subject& on) {
  if (on.spec.gone != GonePolicy::kTombstone) return;
  on.Require(IsWalked(on.spec.role) && on.spec.window.filter == WindowFilter::kNone, "gone",
             "a list that is read by windows does not tell what is gone from it",
             "`window: {filter: none}` reads the whole list each time; else let the provider tell: "
             "response.deleted");
}

// Check 9: nothing secret, nothing unsigned.
void CheckSafety(const Subject& on) {
  const auto& auth = on.spec.auth;
  on.Require(auth.type != AuthType::kCustom || (auth.signing_hook && !auth.signing_hook->empty()),
             "auth.signing", "custom authentication needs the name of its signing hook");
  static constexpr auto kSecretNames =
      std::to_array<std::string_view>({"authorization", "api_key", "apikey", "api-key", "x-api-key",
                                       "access_token", "token", "password", "secret"});
  const auto refuse_literals = [&](const NamedTexts& texts, std::string_view at) {
    for (const auto& [name, text] : texts) {
      const auto lower = LowerCode(name);
      const bool is_secret = std::ranges::find(kSecretNames, lower) != kSecretNames.end();
      const bool is_literal = text.find("${") == std::string::npos;
      on.Require(!is_secret || !is_literal || text.empty(), at,
                 fmt::format("'{}' looks like a credential", name), "declare it under auth");
    }
  };
  refuse_literals(on.spec.http.headers, "request.headers");
  refuse_literals(on.spec.http.query, "request.query");
  refuse_literals(on.spec.http.form_body, "request.form");
}

// Hooks are written, and do what nothing else does.
void CheckHooks(const Subject& on) {
  const auto& hooks = on.spec.hooks;
  if (!hooks) return;
  const auto check = [&](std::string_view at, const std::optional<std::string>& name, auto find) {
    if (!name) return;
    if (const auto found = find(*name); !found)
      on.Complain(at, found.error().message, found.error().hint);
  };
  check("hooks.request", hooks->request, FindRequestHook);
  check("hooks.response", hooks->response, FindResponseHook);
  check("hooks.paging", hooks->paging, FindPagingHook);
  const auto* paging = on.view.At("hooks.paging");
  const bool is_own = paging != nullptr && paging->layer == Layer::kEndpoint;
  on.Require(IsWalked(on.spec.role) || !is_own, "hooks.paging", "details have no pages");
  if (!IsWalked(on.spec.role)) return;
  const auto& response = on.spec.response;
  if (HookGivesTotal(hooks)) {
    on.Require(!response.total, "response.total",
               fmt::format("the hook '{}' gives the total, and so does a path", *hooks->paging),
               "total: {path: ~, is: exact}");
    on.Require(
        response.total_kind != TotalKind::kNone, "response.total",
        fmt::format("it is not said how far the total of '{}' can be trusted", *hooks->paging),
        "total: {is: exact}");
  }
  if (HookGivesNext(hooks)) {
    const auto why = [&](std::string_view what) {
      return fmt::format("the hook '{}' makes the next token {}", *hooks->paging, what);
    };
    on.Require(on.spec.paging.style == PagingStyle::kToken, "paging.style",
               why("and only paging by token sends one"), "style: token");
    on.Require(!on.spec.paging.next, "paging.next", why("and so does a path"),
               "leave one of them out");
    const bool is_id_plain = response.id.size() == 1 && response.id_case == TextCase::kAsIs &&
                             response.format != ResponseFormat::kColumns;
    on.Require(is_id_plain, "response.id", why("of the last record's id as the provider has it"),
               "one path, in the case that it has; not for columns");
  }
}

// How requests travel.
void CheckHttp(const Subject& on) {
  const auto& http = on.spec.http;
  on.Require(!http.base_url.empty(), "http.base_url", "the provider's address is missing");
  if (const auto url = ParseUrl(http.base_url); !url && !http.base_url.empty())
    on.Complain("http.base_url", url.error().message, url.error().hint);
  on.Require(http.base_url.find_first_of("?#") == std::string::npos, "http.base_url",
             "paths are appended to the address: it has no query and no fragment",
             "parameters stand under request.query");
  on.Require(http.path.empty() || http.path.find_first_of("/?$") == 0, "request.path",
             fmt::format("'{}' is appended to the address as it is", http.path),
             fmt::format("/{}", http.path));
  const bool is_plain = http.base_url.starts_with("http://");
  on.Require(!is_plain || NodeReader(&on.view.root()).Flag("http.allow_http", false),
             "http.base_url", "without TLS anybody on the way can read and change the answers",
             "use https, or write allow_http: true");
  on.Require(on.view.Has("request"), "request", "the request is missing");
  const bool has_body = !http.json_body.is_null() || !http.form_body.empty();
  on.Require(!has_body || http.method != HttpMethod::kGet, "request.method",
             "a GET request has no body", "method: post");
  on.Require(http.json_body.is_null() || http.form_body.empty(), "request",
             "a body is either json or form");
  on.Require(http.redirects_max >= 0 && http.redirects_max <= kRedirectsMax, "http.redirects",
             fmt::format("at most {} redirects are followed", kRedirectsMax));
  on.Require(Duration(0) < http.connect_timeout && Duration(0) < http.read_timeout &&
                 http.total_timeout <= kTotalTimeoutMax && http.read_timeout <= http.total_timeout,
             "http.timeout", "timeouts are longer than nothing and at most 120s");
  const bool has_password =
      http.proxy && !http.proxy->starts_with("${") && http.proxy->find('@') != std::string::npos;
  on.Require(!has_password, "http.proxy", "the proxy's user and password stand in the definition",
             "write ${env:NAME} for the whole address");
}

void CheckErrors(const Subject& on) {
  for (const auto& rule : on.spec.errors) {
    const bool says_when = !rule.statuses.empty() || rule.header || rule.body || rule.text;
    on.Require(says_when, "errors", "a rule without a condition would match every answer");
    on.Require(!rule.header_matches || rule.header, "errors", "header_matches needs a header");
    on.Require(!rule.until || rule.action == ErrorAction::kWait, "errors",
               "`until` belongs to `then: wait`");
    if (rule.action == ErrorAction::kWait) {
      static constexpr auto kUntil =
          std::to_array<std::string_view>({"next_minute", "next_hour", "next_day"});
      const bool is_known = rule.until && (std::ranges::find(kUntil, *rule.until) != kUntil.end() ||
                                           ParseDuration(*rule.until).has_value());
      on.Require(is_known, "errors", "waiting needs an end",
                 "until: next_minute, next_hour, next_day or a duration");
    }
  }
}

}  // namespace

void CheckSpec(const MergedView& view, const SpecSnapshot& spec, Operation operation,
               Findings& findings) {
  const Subject on{view, spec, operation, findings};
  CheckAuth(on);
  CheckPaging(on);
  CheckWindow(on);
  WarnOfSecondWalks(on);
  CheckTwoPhase(on);
  CheckResponse(on);
  CheckLimits(on);
  CheckBudget(on);
  CheckOperation(on);
  CheckFreshness(on);
  CheckGone(on);
  CheckSafety(on);
  CheckHttp(on);
  CheckTemplates(on);
  CheckErrors(on);
  CheckHooks(on);
}

}  // namespace patra::domain
