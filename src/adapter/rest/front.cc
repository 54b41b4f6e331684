#include "adapter/rest/front.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "adapter/rest/json_text.h"
#include "adapter/rest/named_schemas.h"
#include "adapter/rest/problem.h"
#include "adapter/rest/routes.h"
#include "adapter/rest/web_assets.h"
#include "base/integer.h"
#include "base/utf8.h"

namespace patra::adapter::rest {
namespace {

constexpr int kJsonDepthMax = 32;
constexpr std::size_t kMarkBytesMax = 128;
constexpr std::size_t kReasonBytesMax = 1'000;
constexpr std::string_view kMayBeDone =
    "a process that died had begun with this request before: look whether it is done";

// Whether one of the media ranges of Accept takes this type.
bool Accepts(std::string_view accept, std::string_view type) {
  if (accept.empty()) return true;
  type = type.substr(0, type.find(';'));
  const auto family = std::string(type.substr(0, type.find('/'))) + "/*";
  while (!accept.empty()) {
    const auto end = accept.find(',');
    auto range = accept.substr(0, std::min(end, accept.size()));
    range = range.substr(0, range.find(';'));
    while (range.starts_with(' ')) range.remove_prefix(1);
    while (range.ends_with(' ')) range.remove_suffix(1);
    if (range == type || range == family || range == "*/*") return true;
    if (end == std::string_view::npos) break;
    accept.remove_prefix(end + 1);
  }
  return false;
}

bool IsJsonType(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return std::ranges::equal(type, std::string_view("application/json"), [](char given, char known) {
    return given == known || (given >= 'A' && given <= 'Z' && given - 'A' + 'a' == known);
  });
}

HttpAnswer NoSuchPath() {
  return ProblemOf({ErrorCode::kNotFound,
                    "there is no such path",
                    {},
                    "GET /api/v1/openapi.json describes all there are"});
}

HttpAnswer WrongMethod(const std::vector<std::string>& allowed) {
  auto answer = ProblemWith(405, {ErrorCode::kInvalidInput,
                                  "this method is not for this path",
                                  {},
                                  fmt::format("it takes {}", fmt::join(allowed, ", "))});
  answer.headers.emplace_back("Allow", fmt::format("{}", fmt::join(allowed, ", ")));
  return answer;
}

HttpAnswer MayNot(const Route& route, const Caller& caller) {
  return ProblemWith(403, {ErrorCode::kRefused,
                           fmt::format("{} may not do this", caller.name),
                           {},
                           fmt::format("it takes a token of the role {}",
                                       domain::LowerCode(CodeOf(*route.access)))});
}

// Of If-None-Match, one mark of ours; whatever else it is, is none.
std::string_view MarkIn(std::string_view header) {
  if (header.starts_with("W/")) header.remove_prefix(2);
  const bool is_one = header.size() > 2 && header.size() <= kMarkBytesMax &&
                      header.front() == '"' && header.find('"', 1) == header.size() - 1;
  return is_one ? header.substr(1, header.size() - 2) : std::string_view();
}

Result<std::string> ReasonOf(const HttpRequest& request, const Fields& body) {
  auto reason = body.TextIfAny("reason").value_or(std::string(request.Header("x-patra-reason")));
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Fail(ErrorCode::kInvalidInput, "a reason is missing", {},
                "send it as `reason` in the body, or as the header X-Patra-Reason");
  }
  if (reason.size() > kReasonBytesMax)
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the reason is longer than {} bytes", kReasonBytesMax));
  if (FindInvalidUtf8(reason) != std::string_view::npos)
    return Fail(ErrorCode::kInvalidInput, "the reason is not valid UTF-8");
  return reason;
}

}  // namespace

Front::Front(FrontRules rules, Services& services, const Clock& clock, OnAnswered on_answered)
    : rules_(std::move(rules)),
      services_(services),
      clock_(clock),
      on_answered_(std::move(on_answered)),
      door_(rules_.door, services.desk_for_changes().tokens(), clock),
      router_(AllRoutes()),
      events_(services, clock, rules_.events),
      change_feed_(services, clock, rules_.events) {}

HttpAnswer Front::Answer(const HttpRequest& request) {
  const auto began = clock_.Elapsed();
  AnsweredRequest told{.method = request.method, .peer = request.peer};
  auto answer = Decide(request, told);
  Finish(request, answer);
  told.status = answer.status;
  told.took = clock_.Elapsed() - began;
  if (on_answered_) on_answered_(told);
  return answer;
}

std::optional<HttpAnswer> Front::RefuseEarly(const HttpRequest& request) const {
  std::optional<HttpAnswer> refusal;
  const auto length = request.Header("content-length");
  const auto bytes = ParseInteger(length).value_or(length.empty() ? 0 : -1);
  if (bytes < 0 || static_cast<std::uint64_t>(bytes) > rules_.body_bytes_max) {
    refusal = ProblemWith(413, {ErrorCode::kLimit,
                                fmt::format("a body may have {} bytes", rules_.body_bytes_max),
                                {},
                                "send less at a time"});
  } else if (bytes > 0 && !request.HasHeader("authorization") &&
             !(rules_.door.is_on_loopback && request.is_from_loopback)) {
    refusal = ProblemWith(
        401, {ErrorCode::kRefused, "whoever asks over a network needs a token", {}, ""});
    refusal->headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  if (refusal) Finish(request, *refusal);
  return refusal;
}

HttpAnswer Front::Decide(const HttpRequest& request, AnsweredRequest& told) {
  const auto target = ParseTarget(request.target);
  if (!target && target.error().code == ErrorCode::kLimit) return ProblemWith(414, target.error());
  if (!target) return ProblemOf(target.error());
  const auto [route, allowed] = router_.Find(request.method, target->path);
  if (request.method == "OPTIONS" && (target->is_everything || !allowed.empty())) {
    return {.status = 204,
            .headers = {{"Allow", target->is_everything
                                      ? "GET, HEAD, POST, OPTIONS"
                                      : fmt::format("{}", fmt::join(allowed, ", "))}}};
  }
  if (auto web = AnswerWeb(request, target->path, EmbeddedWebFiles())) {
    if (auto too_soon = door_.Pace(request)) return *std::move(too_soon);
    return *std::move(web);
  }
  if (route != nullptr) told.path = route->path;
  Caller caller;
  if (route == nullptr || route->access) {
    auto admitted = door_.Admit(request, target->authority);
    if (!admitted) return std::move(admitted).error();
    caller = *std::move(admitted);
    told.caller = caller.name;
  } else if (auto too_soon = door_.Pace(request)) {
    return *std::move(too_soon);
  }
  if (route == nullptr) return allowed.empty() ? NoSuchPath() : WrongMethod(allowed);
  if (route->access && !domain::Allows(caller.access, *route->access))
    return MayNot(*route, caller);
  if (!Accepts(request.Header("accept"), ContentTypeOf(route->kind))) {
    return ProblemWith(406, {ErrorCode::kInvalidInput,
                             fmt::format("this answers with {}", ContentTypeOf(route->kind)),
                             {},
                             "leave out Accept, or name that type in it"});
  }
  return AskHandler(request, *target, *route, caller, told);
}

HttpAnswer Front::AskHandler(const HttpRequest& request, const Target& target, const Route& route,
                             const Caller& caller, AnsweredRequest& told) {
  const auto arguments = Router::Arguments(route, target);
  if (!arguments) return ProblemOf(arguments.error());
  if (!request.body.empty() && route.body &&
      (!IsJsonType(request.Header("content-type")) || request.HasHeader("content-encoding"))) {
    return ProblemWith(415, {ErrorCode::kInvalidInput,
                             "the body has to be JSON as it is",
                             {},
                             "send Content-Type: application/json, and no Content-Encoding"});
  }
  const auto body = BodyOf(request, route);
  if (!body) return ProblemOf(body.error());
  Call call{.services = services_,
            .turns = turns_,
            .arguments = *arguments,
            .body = *body,
            .actor = {.name = caller.name, .way = domain::Way::kApi},
            .access = caller.access,
            .events = events_,
            .change_feed = change_feed_,
            .heard = request.Header("last-event-id"),
            .known = MarkIn(request.Header("if-none-match"))};
  if (route.needs_reason) {
    auto reason = ReasonOf(request, *body);
    if (!reason) return ProblemOf(reason.error());
    call.reason = services_.desk_for_changes().WithoutSecrets(*reason);
    told.reason = call.reason;
  }
  if (route.method == Method::kPost && request.HasHeader("idempotency-key"))
    return AnswerOnce(request, route, call);
  auto answer = AnswerOf(route, call);
  if (answer.feed && route.access) {
    answer.feed->WatchBy([this, request, authority = target.authority, access = *route.access] {
      return MayStay(request, authority, access);
    });
  }
  return answer;
}

// A token may be revoked or expire while its owner listens. A store that is away says nothing about that.
bool Front::MayStay(const HttpRequest& request, const std::string& authority,
                    domain::Access access) {
  const auto admitted = door_.Admit(request, authority);
  if (admitted) return domain::Allows(admitted->access, access);
  return admitted.error().status != 401 && admitted.error().status != 403;
}

HttpAnswer Front::AnswerOf(const Route& route, const Call& call, std::string_view on_problem) {
  auto reply = route.handler(call);
  if (!reply) {
    auto& hint = reply.error().hint;
    if (!on_problem.empty()) hint += (hint.empty() ? "" : "; ") + std::string(on_problem);
    return ProblemOf(reply.error());
  }
  HttpAnswer answer{.status = reply->status,
                    .content_type = std::string(ContentTypeOf(route.kind)),
                    .body = std::move(reply->body),
                    .feed = std::move(reply->feed)};
  if (!reply->mark.empty()) answer.headers.emplace_back("ETag", fmt::format("\"{}\"", reply->mark));
  return answer;
}

// What failed for reasons that pass was undone, so that the next one may try it.
HttpAnswer Front::AnswerOnce(const HttpRequest& request, const Route& route, const Call& call) {
  const app::RepeatableRequest repeatable{
      .caller = call.actor.name,
      .key = std::string(request.Header("idempotency-key")),
      .text =
          fmt::format("{} {}\n{}\n{}", request.method, request.target, call.reason, request.body)};
  auto& kept = services_.desk_for_changes().kept_answers();
  const auto before = kept.Begin(repeatable);
  if (!before) {
    const bool is_other = before.error().code == ErrorCode::kInvalidInput;
    return is_other ? ProblemWith(422, before.error()) : ProblemOf(before.error());
  }
  if (const auto& kept_answer = before->before) {
    const bool is_problem = kept_answer->status >= 400;
    return {.status = kept_answer->status,
            .content_type =
                is_problem ? "application/problem+json" : std::string(ContentTypeOf(route.kind)),
            .body = kept_answer->body,
            .headers = {{"Idempotent-Replayed", "true"}}};
  }
  auto answer = AnswerOf(route, call, before->is_taken_over ? kMayBeDone : std::string_view());
  const bool may_pass = answer.status >= 500 || answer.status == 409 || answer.status == 429;
  std::ignore = may_pass ? kept.Forget(repeatable)
                         : kept.Finish(repeatable, {.status = answer.status, .body = answer.body});
  return answer;
}

Result<Fields> Front::BodyOf(const HttpRequest& request, const Route& route) const {
  if (!route.body) {
    if (request.body.empty()) return Fields();
    return Fail(ErrorCode::kInvalidInput, "this takes no body");
  }
  auto value =
      PATRA_TRY(ParseJson(request.body.empty() ? "{}" : request.body,
                          {.bytes_max = rules_.body_bytes_max, .depth_max = kJsonDepthMax}));
  PATRA_TRY(Check(*route.body, value, AllNamedSchemas()));
  auto* members = value.AsObject();
  return members == nullptr ? Fields() : Fields(std::move(*members));
}

void Front::Finish(const HttpRequest& request, HttpAnswer& answer) const {
  AddUsualHeaders(answer, rules_.is_secure);
  const auto origin = request.Header("origin");
  if (origin.empty() || !door_.IsNamedOrigin(origin)) return;
  auto& headers = answer.headers;
  headers.emplace_back("Access-Control-Allow-Origin", std::string(origin));
  headers.emplace_back("Vary", "Origin");
  headers.emplace_back("Access-Control-Expose-Headers", "Retry-After");
  if (request.method != "OPTIONS") return;
  headers.emplace_back("Access-Control-Allow-Methods", "GET, POST");
  headers.emplace_back("Access-Control-Allow-Headers",
                       "Authorization, Content-Type, Idempotency-Key, X-Patra-Reason");
}

}  // namespace patra::adapter::rest
