#include "app/execute/fetch_page.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/execute/note_request.h"
#include "app/execute/render_request.h"
#include "app/execute/tell_failure.h"
#include "app/send/redaction.h"
#include "base/duration.h"
#include "domain/error/retry_schedule.h"
#include "domain/error/wrong_parameter.h"
#include "domain/page/page_reader.h"
#include "domain/walk/first_page.h"

namespace patra::app {
namespace {

// A worker sleeps this long before a retry; for longer waits the task goes back to the queue.
constexpr Duration kSleepMax = std::chrono::seconds(10);
constexpr Duration kNap = std::chrono::milliseconds(100);
constexpr Duration kPatience = std::chrono::minutes(5);
// The gate keeps to what the provider says, however long; a task looks every day whether somebody has freed it.
constexpr Duration kParkMax = std::chrono::hours(24);

// At once, where the document says so, and no page was ever read by this snapshot. Of details, it may be the id that is wrong.
bool BlamesDefinition(const Result<domain::PageContent>& page, const FetchScope& scope,
                      bool is_detail) {
  return !page && page.error().code == ErrorCode::kNotFound && scope.is_first_read && !is_detail;
}

// A page that cannot be read looks like a bad moment of the provider: an error page, a cut body. Where none could be
// read ever, it is rather the definition, or its address, that is wrong.
domain::Verdict Unreadable(const Error& error, bool is_definitions) {
  auto reason = "the answer cannot be read: " + error.Describe();
  if (!is_definitions) {
    return {.level = domain::ErrorLevel::kL1,
            .action = domain::ErrorAction::kRetry,
            .reason = std::move(reason)};
  }
  return {.level = domain::ErrorLevel::kL2,
          .action = domain::ErrorAction::kFail,
          .reason = std::move(reason)};
}

domain::Verdict Judge(const Sent& sent, const Result<domain::PageContent>& page,
                      const domain::SpecSnapshot& spec, bool is_definitions) {
  if (sent.failure) return domain::JudgeFailure(*sent.failure, spec.retry);
  const auto& response = *sent.response;
  const domain::Answer answer{.status = response.status,
                              .headers = response.headers,
                              .received_at = response.received_at,
                              .rule = page && page->rule ? &*page->rule : nullptr,
                              .words = page ? std::string_view(page->rule_words) : "",
                              .text = response.body,
                              .timezone = spec.timezone};
  auto verdict = domain::JudgeAnswer(answer, spec.retry);
  if (verdict.is_page() && !page) return Unreadable(page.error(), is_definitions);
  return verdict;
}

// Where the source has no rule for it: an address with a token that worked a page ago is refused.
bool MayBeDeadToken(const Sent& sent, const Result<domain::PageContent>& page) {
  if (!sent.response || (page && page->rule)) return false;
  const int status = sent.response->status;
  return status == 400 || status == 404 || status == 410 || status == 422;
}

NoPage::Kind FailureKind(const domain::Verdict& verdict) {
  switch (verdict.level) {
    case domain::ErrorLevel::kL4:
      return NoPage::Kind::kFatal;
    case domain::ErrorLevel::kL3:
      return NoPage::Kind::kIsolated;
    case domain::ErrorLevel::kL1:
      return verdict.action == domain::ErrorAction::kRestartSlice ? NoPage::Kind::kStartOver
                                                                  : NoPage::Kind::kExhausted;
    default:
      return NoPage::Kind::kWrong;
  }
}

NoPage Unrenderable(const Error& error) {
  return {.kind = NoPage::Kind::kWrong,
          .reason = error.Describe(),
          .wrong_parameter = error.place.pointer};
}

// Sent back with the mask it would lead anywhere, or be refused and blamed on the credential. A link that has it where the
// sender puts the credential anyway is as good as before.
bool IsMasked(std::string next, const domain::SpecSnapshot& spec) {
  if (spec.paging.style == domain::PagingStyle::kUrl &&
      spec.auth.location == domain::AuthLocation::kQuery) {
    const auto parameter = fmt::format("{}={}", spec.auth.name, kRedacted);
    if (const auto at = next.find(parameter); at != std::string::npos)
      next.erase(at, parameter.size());
  }
  return next.find(kRedacted) != std::string::npos;
}

domain::RetrySpec RetriesOf(const FetchScope& scope) {
  auto retry = scope.spec().retry;
  if (scope.attempts_max) retry.attempts_max = std::min(retry.attempts_max, *scope.attempts_max);
  return retry;
}

NoPage DeadToken(const domain::SpecSnapshot& spec) {
  return {.kind = NoPage::Kind::kStartOver,
          .reason = fmt::format("the token lives for {}, and its turn came later",
                                FormatDuration(*spec.paging.token_lifetime))};
}

// A storm uses up the retries of everybody, and passes. Where it meets the same slice run after run, it is as good as if its
// own were used up: else it would be tried for ever.
NoPage ParkedBehind(const FetchScope& scope, const domain::GateWait& gate,
                    const std::optional<NoPage>& failed) {
  const bool is_out_of_retries = gate.reason == domain::WaitReason::kRetryBudget;
  const bool is_enough = scope.task.runs_so_far >= scope.runs_max && is_out_of_retries;
  const bool is_shut = is_out_of_retries || gate.reason == domain::WaitReason::kBreaker;
  if (failed && (is_enough || (is_shut && scope.attempts_max))) return *failed;
  auto parked = failed.value_or(NoPage{});
  parked.kind = NoPage::Kind::kParked;
  parked.cause = std::exchange(parked.reason, {});
  parked.reason = std::string(Name(gate.reason));
  parked.until = gate.until;
  parked.waits_for = gate.reason;
  return parked;
}

// In the second phase it is known whose details are asked for, and their batch can be halved: none is isolated whole.
bool IsIsolated(const domain::Verdict& verdict, bool is_detail) {
  return verdict.action == domain::ErrorAction::kQuarantine && !is_detail;
}

// A page, or what stands for one.
bool IsAnswer(const domain::Verdict& verdict, bool is_detail) {
  const bool is_empty =
      verdict.action == domain::ErrorAction::kEmpty || verdict.action == domain::ErrorAction::kEnd;
  return verdict.is_page() || is_empty || IsIsolated(verdict, is_detail);
}

domain::BadRecord IsolatedPage(const std::string& place, const domain::Verdict& verdict,
                               const std::string& body) {
  return {.path = place,
          .rule = std::string(domain::kIsolatedByRule),
          .reason = verdict.reason,
          .bytes = body,
          .is_page = true};
}

void Complete(FetchedPage& fetched, domain::PageContent page, Sent sent) {
  fetched.content = std::move(page);
  fetched.body_hash = std::move(sent.body_hash);
  fetched.response = *std::move(sent.response);
}

}  // namespace

Result<Fetched> FetchPage::At(FetchScope& scope, const domain::Position& position, int batch_no) {
  auto request = RenderRequest(scope.source, scope.task.slice, position, scope.task.values);
  if (!request) return Unrenderable(request.error());
  const auto& lifetime = scope.spec().paging.token_lifetime;
  std::optional<Duration> dead_from;
  if (lifetime && position.token && scope.last_page_at) dead_from = *scope.last_page_at + *lifetime;
  const Ask ask{.request = *std::move(request),
                .can_repeat = scope.spec().paging.replayable || !position.token,
                .has_token = position.token.has_value(),
                .owes_total = domain::OwesTotal(scope.spec(), scope.task.slice, position),
                .dead_from = dead_from,
                .place = Describe(position),
                .batch_no = batch_no};
  auto fetched = PATRA_TRY(Run(scope, ask));
  if (std::holds_alternative<FetchedPage>(fetched)) scope.last_page_at = clock_.Elapsed();
  return fetched;
}

Result<Fetched> FetchPage::AtPatiently(FetchScope& scope, const domain::Position& position,
                                       int batch_no) {
  return Patiently(scope, [&] { return At(scope, position, batch_no); });
}

Result<Fetched> FetchPage::DetailsPatiently(FetchScope& scope, std::span<const std::string> ids,
                                            int batch_no) {
  return Patiently(scope, [&] { return Details(scope, ids, batch_no); });
}

NoPage FetchPage::NoPageAfterAll(FetchScope& scope, const FetchedPage& page, std::string reason,
                                 int batch_no) const {
  NoPage none{.kind = NoPage::Kind::kFatal,
              .reason = std::move(reason),
              .body = page.response.body,
              .evidence = page.evidence};
  none.evidence.response["firstBytes"] = sender_.FirstBytesOf(none.body);
  domain::Evidence failure;
  NoteFailure({clock_.Now(), batch_no}, domain::ErrorLevel::kL4, none.reason, none.evidence.status,
              failure);
  none.evidence.failures.Append(failure.failures);
  scope.tally.Add(failure);
  return none;
}

Result<Fetched> FetchPage::Patiently(const FetchScope& scope,
                                     const std::function<Result<Fetched>()>& fetch) {
  const auto begun = clock_.Elapsed();
  std::string cause;  // what failed before the gate closed
  while (true) {
    auto fetched = PATRA_TRY(fetch());
    auto* none = std::get_if<NoPage>(&fetched);
    const bool is_parked = none != nullptr && none->kind == NoPage::Kind::kParked;
    if (!is_parked) return fetched;
    if (none->cause.empty()) none->cause = cause;
    cause = none->cause;
    const auto wait = none->until - clock_.Now();
    const auto reason = none->waits_for.value_or(domain::WaitReason::kCoolDown);
    const auto patience =
        domain::IsTrouble(reason) ? scope.patience.value_or(kPatience) : kPatience;
    if (clock_.Elapsed() - begun + wait > patience) return fetched;
    scope.on_wait({reason, none->until});
    if (!SleepUnlessStopped(wait)) return fetched;
  }
}

Result<Fetched> FetchPage::Details(FetchScope& scope, std::span<const std::string> ids,
                                   int batch_no) {
  auto request = RenderDetailRequest(scope.source, scope.task.slice, ids, scope.task.values);
  if (!request) return Unrenderable(request.error());
  return Run(scope, {.request = *std::move(request), .is_detail = true, .batch_no = batch_no});
}

Result<domain::PageContent> FetchPage::Read(const FetchScope& scope, const Ask& ask,
                                            const HttpResponse& response) {
  const auto phase = ask.is_detail ? domain::Phase::kDetail : domain::Phase::kSearch;
  auto page = PATRA_TRY(sender_.Redacted(scope.source.reader().Read(response.answer(), phase)));
  if (ask.is_detail) return page;
  if (scope.spec().paging.style == domain::PagingStyle::kUrl && page.next)
    page.next = PATRA_TRY(LinkFrom(ask.request.url, *page.next));
  if (response.held_secret && page.next && IsMasked(*page.next, scope.spec())) {
    return Fail(ErrorCode::kCorruption,
                "what leads to the next page holds our credential, which is never kept", {},
                "page by number, offset or time, or ask the provider for links without it");
  }
  if (ask.owes_total && !page.rule && !page.announced) {
    return Fail(ErrorCode::kCorruption, "the first page announces no total", {},
                "the definition says that it does: see response.total");
  }
  return page;
}

bool FetchPage::SleepUnlessStopped(Duration wait) {
  const auto end = clock_.Elapsed() + wait;
  while (!stop_.asked()) {
    const auto left = end - clock_.Elapsed();
    if (left <= Duration::zero()) return true;
    clock_.SleepFor(std::min(left, kNap));
  }
  return false;
}

Result<Fetched> FetchPage::Run(FetchScope& scope, const Ask& ask) {
  domain::Evidence evidence;
  auto fetched = TryWithinMemory(scope, ask, evidence);
  scope.tally.Add(evidence);
  if (!fetched) return fetched;
  if (evidence.credential.empty()) evidence.credential = scope.tally.credential;
  if (auto* none = std::get_if<NoPage>(&*fetched)) {
    none->evidence = std::move(evidence);
    TellFailure(log_, scope, *none, ask.batch_no);
  } else {
    auto& page = std::get<FetchedPage>(*fetched);
    page.retries = evidence.sent.retries;
    page.evidence = std::move(evidence);
  }
  return fetched;
}

// An answer that there is no memory for ends this fetch, and nobody else's.
Result<Fetched> FetchPage::TryWithinMemory(FetchScope& scope, const Ask& ask,
                                           domain::Evidence& evidence) {
  try {
    return Try(scope, ask, evidence);
  } catch (const std::bad_alloc&) {
    return NoPage{.kind = NoPage::Kind::kExhausted,
                  .reason =
                      "this machine has no memory for the answer; fewer tasks at a time, or "
                      "smaller pages, need less"};
  }
}

Result<Fetched> FetchPage::Try(FetchScope& scope, const Ask& ask, domain::Evidence& evidence) {
  domain::RetrySchedule schedule(RetriesOf(scope));
  std::optional<NoPage> failed;  // the last attempt
  bool has_failed = false;       // it did, and not because we were too fast
  auto keys_left = std::ssize(scope.spec().auth.credentials) - 1;
  while (true) {
    if (stop_.asked()) return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
    const Attempt attempt{.is_retry = has_failed, .is_last = schedule.is_last_attempt()};
    const auto asked_at = clock_.Elapsed();
    auto outcome = PATRA_TRY(Send(scope, ask, attempt));
    if (auto* none = std::get_if<NoPage>(&outcome)) return std::move(*none);
    auto& sent = std::get<Sent>(outcome);
    NoteSent(sent, evidence);
    if (sent.is_dead) return DeadToken(scope.spec());
    if (sent.is_stopped) return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
    if (sent.parked) {
      NoteParked(sent, evidence);
      // Somebody was told to wait with this key while we waited for its turn.
      const bool may_change = keys_left-- > 0 && PATRA_TRY(HasAnotherKey(scope));
      if (may_change) continue;
      return ParkedBehind(scope, *sent.parked, failed);
    }
    auto page = sent.response ? Read(scope, ask, *sent.response)
                              : Result<domain::PageContent>(domain::PageContent{});
    const bool is_too_large = (sent.failure && sent.failure->code == ErrorCode::kLimit) ||
                              (!page && page.error().code == ErrorCode::kExhausted);
    // Once may be a bad moment even then, where the answer does not say what it is.
    const bool is_definitions =
        (scope.is_first_use && failed) || BlamesDefinition(page, scope, ask.is_detail);
    auto verdict = Judge(sent, page, scope.spec(), is_definitions);
    // It may hold what the provider said.
    verdict.reason = sender_.ForPeople(verdict.reason);
    PATRA_TRY(sender_.Settle(sent, verdict));
    NoteAnswer(sent, verdict, {clock_.Now(), ask.batch_no}, evidence);
    if (sent.failure && sent.failure->code == ErrorCode::kCancelled)
      return Interrupted(ask, verdict);
    if (is_too_large) return NoPage{.kind = NoPage::Kind::kTooLarge, .reason = verdict.reason};
    if (IsAnswer(verdict, ask.is_detail)) {
      if (IsIsolated(verdict, ask.is_detail))
        page->bad_records.push_back(IsolatedPage(ask.place, verdict, sent.response->body));
      FetchedPage fetched;
      Complete(fetched, *std::move(page), std::move(sent));
      return fetched;
    }

    auto failure = FailureOf(scope, ask, sent, page, verdict);
    if (failure.kind != NoPage::Kind::kExhausted) return failure;
    auto step = schedule.Next(verdict, scope.random);
    if (step.kind == domain::RetryStep::Kind::kGiveUp) return failure;
    if (verdict.is_throttled && PATRA_TRY(HasAnotherKey(scope)))
      step = {.kind = domain::RetryStep::Kind::kRetry, .attempt = step.attempt};
    if (step.kind == domain::RetryStep::Kind::kPark || step.wait > kSleepMax)
      return CoolDown(scope, verdict, step);
    log_.Write(LogLevel::kWarn, "request.retry", scope.lineage,
               {{"attempt", step.attempt},
                {"level", std::string(Code(verdict.level))},
                {"reason", verdict.reason},
                {"waitMs", step.wait / std::chrono::milliseconds(1)}});
    NoteRetry(step.wait, evidence);
    failed = std::move(failure);
    has_failed = !verdict.is_throttled;
    scope.on_wait({.reason = domain::WaitReason::kNone,
                   .until = clock_.Now() + step.wait,
                   .failure = verdict.reason,
                   .lost = clock_.Elapsed() - asked_at});
    if (!SleepUnlessStopped(step.wait))
      return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
  }
}

Result<std::variant<Sent, NoPage>> FetchPage::Send(FetchScope& scope, const Ask& ask,
                                                   const Attempt& attempt) {
  if (scope.holds_lease && !scope.holds_lease()) {
    return Fail(ErrorCode::kLeaseLost,
                fmt::format("the lease of task {} was not renewed in time", scope.lineage.task), {},
                "see whether the store answers; the task is taken up again by itself");
  }
  auto outcome = sender_.Send({.source = scope.source,
                               .is_detail = ask.is_detail,
                               .request = ask.request,
                               .lineage = scope.lineage,
                               .batch_no = ask.batch_no,
                               .priority = domain::UrgencyOf(scope.task.priority),
                               .is_retry = attempt.is_retry,
                               .is_last_try = attempt.is_last,
                               .concurrency_max = scope.concurrency_max,
                               .dead_from = ask.dead_from},
                              scope.on_wait);
  if (!outcome && outcome.error().code == ErrorCode::kRefused)
    return NoPage{.kind = NoPage::Kind::kFatal, .reason = outcome.error().Describe()};
  // Among them an address that a provider's token has made too long.
  const bool is_unsendable = !outcome && (outcome.error().code == ErrorCode::kInvalidInput ||
                                          outcome.error().code == ErrorCode::kLimit);
  if (is_unsendable)
    return NoPage{.kind = NoPage::Kind::kWrong, .reason = outcome.error().Describe()};
  return PATRA_TRY(std::move(outcome));
}

// Why an answer is no page.
NoPage FetchPage::FailureOf(const FetchScope& scope, const Ask& ask, const Sent& sent,
                            const Result<domain::PageContent>& page,
                            const domain::Verdict& verdict) {
  NoPage failure{.kind = FailureKind(verdict), .reason = verdict.reason};
  failure.blames_definition =
      failure.kind == NoPage::Kind::kWrong && BlamesDefinition(page, scope, ask.is_detail);
  if (sent.response) failure.body = sent.response->body;
  if (failure.kind == NoPage::Kind::kWrong && !ask.is_detail && !failure.blames_definition) {
    failure.wrong_parameter =
        domain::FindWrongParameter(scope.spec(), verdict.reason + "\n" + failure.body);
    failure.reason += domain::HintOnGranularity(scope.spec(), failure.body);
  }
  if (ask.has_token && failure.kind == NoPage::Kind::kWrong && MayBeDeadToken(sent, page)) {
    failure.kind = NoPage::Kind::kStartOver;
    failure.reason += "; the token may be dead";
  }
  // A token that moves on when it is used may have moved: only a plain refusal leaves it where it was.
  if (failure.kind == NoPage::Kind::kExhausted && !ask.can_repeat && !verdict.is_throttled) {
    failure.kind = NoPage::Kind::kStartOver;
    failure.reason += "; the token cannot be sent twice";
  }
  return failure;
}

// The provider may have got the request: a token that moves on when it is used may have moved.
NoPage FetchPage::Interrupted(const Ask& ask, const domain::Verdict& verdict) {
  if (ask.can_repeat) return {.kind = NoPage::Kind::kStopped, .reason = verdict.reason};
  return {.kind = NoPage::Kind::kStartOver,
          .reason = verdict.reason + "; the token cannot be sent twice"};
}

// Whether another credential may send while this one waits.
Result<bool> FetchPage::HasAnotherKey(const FetchScope& scope) {
  if (scope.spec().auth.credentials.size() < 2) return false;
  return !PATRA_TRY(sender_.LongWaitAhead(scope.source)).has_value();
}

// The wait is too long for a worker.
Result<Fetched> FetchPage::CoolDown(const FetchScope& scope, const domain::Verdict& verdict,
                                    const domain::RetryStep& step) {
  if (step.kind == domain::RetryStep::Kind::kPark) {
    const auto& lane = scope.task.lane;
    log_.Write(LogLevel::kWarn, "wait.too_long", scope.lineage,
               {{"source", lane.provenance},
                {"endpoint", lane.endpoint},
                {"reason", verdict.reason},
                {"until", FormatRfc3339(clock_.Now() + step.wait)}});
  }
  // The gate lets nobody in before its own time, which is a little later than the provider's: that one is told.
  const auto gate = PATRA_TRY(sender_.LongWaitAhead(scope.source));
  const auto own = clock_.Now() + std::min(step.wait, kParkMax);
  return NoPage{
      .kind = NoPage::Kind::kParked,
      .reason = fmt::format("{}: {}", Name(domain::WaitReason::kCoolDown), verdict.reason),
      .until = gate ? gate->until : own,
      .waits_for = domain::WaitReason::kCoolDown};
}

}  // namespace patra::app
