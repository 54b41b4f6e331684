#include "app/execute/execute_task.h"

#include <fmt/format.h>

#include "app/execute/render_request.h"
#include "app/gate/source_rules.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"
#include "domain/gate/provider_signal.h"

namespace patra::app {
namespace {

// A worker that waits longer for a permit has better things to do.
constexpr Duration kPermitDeadline = std::chrono::seconds(5);
constexpr Duration kNoticeableWait = std::chrono::milliseconds(500);

domain::GatePriority PriorityOf(domain::Operation operation) {
  switch (operation) {
    case domain::Operation::kHarvest:
      return domain::GatePriority::kHarvest;
    case domain::Operation::kUpdate:
      return domain::GatePriority::kUpdate;
    case domain::Operation::kBackfill:
      break;
  }
  return domain::GatePriority::kBackfill;
}

// What a person needs to recognise the exchange; bodies are in the raw vault.
std::string RequestDigest(const HttpRequest& request) {
  return CanonicalJson(Value::Object{{"method", request.method}, {"url", request.url}});
}

// How the permit of a request was come by (seed 4.10.7).
struct PermitNote {
  std::string key;
  Duration waited{};
  domain::WaitReason reason = domain::WaitReason::kNone;
};

std::string ResponseDigest(const HttpResponse& response, const PermitNote& permit) {
  const bool has_waited = permit.reason != domain::WaitReason::kNone;
  return CanonicalJson(Value::Object{
      {"status", response.status},
      {"contentType", response.content_type},
      {"bytes", static_cast<std::int64_t>(response.body.size())},
      {"sha256", Sha256Hex(response.body)},
      {"rate", Value::Object{{"limitKey", permit.key},
                             {"permitCost", 1},
                             {"decision", has_waited ? "WAIT" : "ALLOW"},
                             {"reason", std::string(Name(permit.reason))},
                             {"waitMs", permit.waited / std::chrono::milliseconds(1)}}}});
}

std::string RunStats(int requests, Duration waited, int throttled,
                     const domain::RecordCounts& counts) {
  return CanonicalJson(Value::Object{{"reqCount", requests},
                                     {"permitsTotal", requests},
                                     {"waitTotalMs", waited / std::chrono::milliseconds(1)},
                                     {"throttledCount", throttled},
                                     {"retCount", counts.received},
                                     {"inserted", counts.inserted},
                                     {"updated", counts.updated},
                                     {"skipped", counts.unchanged + counts.stale},
                                     {"failed", counts.quarantined}});
}

}  // namespace

// One task on its way through its pages.
struct ExecuteTask::Walk {
  const LeasedTask& task;
  const OnGateWait& on_wait;
  domain::SpecSnapshot spec;
  RunOpened run;
  Position position;
  int batch_no = 1;
  int requests = 0;
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;
  HttpRequest request;
  domain::GateTarget gate_target;
  domain::GateRules gate_rules;
  PermitNote permit;
  Duration waited_in_all{};
  int throttled = 0;
  std::optional<GateWait> parked;
};

Result<TaskOutcome> ExecuteTask::Run(const LeasedTask& task, const OnBatch& on_batch,
                                     const OnGateWait& on_wait) {
  const auto snapshot = PATRA_TRY(ParseJson(task.plan_snapshot));
  auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
  if (spec.paging.style != domain::PagingStyle::kPage || spec.details) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("this executor walks by page number, not by {}",
                            spec.details ? "ids and details" : CodeOf(spec.paging.style)),
                {}, "the task stays queued for an executor that can");
  }
  auto gate_target = GateTargetOf(spec);
  auto gate_rules = GateRulesOf(spec);
  PATRA_TRY(domain::Validate(gate_rules));
  if (const auto wait = PATRA_TRY(LongWaitAhead(gate_target, gate_rules)))
    return TaskOutcome{.status = domain::TaskStatus::kQueued, .parked = wait};
  const auto run = PATRA_TRY(ledger_.Open(task, Position{.page = spec.paging.first_page}));

  Walk walk{.task = task,
            .on_wait = on_wait,
            .spec = std::move(spec),
            .run = run,
            .position = run.start,
            .batch_no = run.batch_no,
            .counts = run.so_far,
            .gate_target = std::move(gate_target),
            .gate_rules = std::move(gate_rules)};

  const auto walked = WalkPages(walk, on_batch);
  if (walk.parked) {
    return TaskOutcome{.status = domain::TaskStatus::kQueued,
                       .counts = walk.counts,
                       .requests = walk.requests,
                       .parked = walk.parked};
  }
  if (walked) return Close(walk, std::nullopt);
  // A lost lease is nobody's failure and nobody's success: whoever holds the task now decides.
  if (walked.error().code == ErrorCode::kConflict) return std::unexpected(walked.error());
  return Close(walk, walked.error());
}

Result<void> ExecuteTask::WalkPages(Walk& walk, const OnBatch& on_batch) {
  while (true) {
    auto response = PATRA_TRY(Fetch(walk));
    auto page = PATRA_TRY(reader_.Read(walk.spec, response));
    if (page.rule && page.rule->action != domain::ErrorAction::kEmpty &&
        page.rule->action != domain::ErrorAction::kEnd) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("the provider's answer means {}", CodeOf(page.rule->action)));
    }
    if (page.announced) walk.announced = page.announced;
    const auto next = NextPosition(walk, page);

    BatchCommit batch{
        .task = walk.task,
        .lineage = walk.run.lineage,
        .batch_no = walk.batch_no,
        .before = walk.position,
        .after = next,
        .records = std::move(page.records),
        .bad_records = std::move(page.bad_records),
        .announced = page.announced,
        .request_digest = RequestDigest(walk.request),
        .response_digest = ResponseDigest(response, walk.permit),
        .latency_ms = std::chrono::floor<std::chrono::milliseconds>(response.latency).count()};
    const auto latency = response.latency;
    batch.raw_page = RawPage{response.content_type, std::move(response.body), response.received_at};
    const auto committed = PATRA_TRY(ledger_.Commit(batch));
    walk.counts += committed.counts;
    on_batch({committed.counts, page.announced, walk.permit.waited, latency});

    if (!next) return {};
    walk.position = *next;
    walk.run.lineage.batch = committed.next_batch;
    ++walk.batch_no;
  }
}

Result<HttpResponse> ExecuteTask::Fetch(Walk& walk) {
  walk.request = PATRA_TRY(RenderRequest(walk.spec, walk.task.window(), walk.position));
  return SendWithPermit(walk);
}

// Whether the gate is shut for so long that a run need not begin: a parked task should leave no trace but
// its time in the queue.
Result<std::optional<GateWait>> ExecuteTask::LongWaitAhead(const domain::GateTarget& target,
                                                           const domain::GateRules& rules) {
  const auto estimate = PATRA_TRY(gate_.Estimate(target, rules, kPermitDeadline));
  const auto wait = estimate.blocked_until - clock_.Elapsed();
  if (wait <= kPermitDeadline) return std::nullopt;
  return GateWait{estimate.reason, clock_.Now() + wait};
}

Result<HttpResponse> ExecuteTask::SendWithPermit(Walk& walk) {
  const domain::GateAsk ask{.deadline = kPermitDeadline,
                            .priority = PriorityOf(walk.task.partition.operation),
                            .task = static_cast<std::uint64_t>(walk.task.lineage.task)};
  const auto on_wait = [&](const GateWait& wait) {
    if (wait.until - clock_.Now() >= kNoticeableWait) walk.on_wait(wait);
  };
  const auto awaited =
      PATRA_TRY(AwaitPermit(gate_, clock_, walk.gate_target, walk.gate_rules, ask, on_wait));
  walk.permit = {GateKey(walk.gate_rules.feedback_scope, walk.gate_target), awaited.waited,
                 awaited.reason};
  walk.waited_in_all += awaited.waited;
  if (!awaited.permit && awaited.reason == domain::WaitReason::kRefused) {
    return Fail(ErrorCode::kRefused,
                fmt::format("the provider refuses the credential of {}", walk.permit.key), {},
                fmt::format("put it right, then `patra gate reset {}`", walk.permit.key));
  }
  if (!awaited.permit) {
    walk.parked = GateWait{awaited.rejected->reason, awaited.rejected->until};
    return Fail(ErrorCode::kUnavailable,
                fmt::format("no permit before {}", FormatRfc3339(awaited.rejected->until)));
  }

  ++walk.requests;
  auto response = transport_.Send(walk.request);
  auto signal = response ? domain::ReadSignal(response->status, response->headers,
                                              response->received_at, walk.gate_rules)
                         : domain::GateSignal{.kind = domain::GateSignal::Kind::kTransient};
  signal.sent_at = awaited.permit->granted_at();
  signal.booked = awaited.permit->booking().booked;
  if (signal.kind == domain::GateSignal::Kind::kThrottled) ++walk.throttled;
  PATRA_TRY(gate_.Feedback(walk.gate_target, walk.gate_rules, signal));
  return response;
}

// A short page is the end. A full one may be the last, too: then one more request brings an empty page,
// which costs less than a record that was never asked for.
std::optional<Position> ExecuteTask::NextPosition(const Walk& walk, const PageContent& page) const {
  const bool is_short = page.size() < static_cast<std::size_t>(walk.spec.paging.size);
  if (is_short) return std::nullopt;
  return Position{.page = *walk.position.page + 1};
}

Result<TaskOutcome> ExecuteTask::Close(Walk& walk, std::optional<Error> error) {
  TaskOutcome outcome{.counts = walk.counts, .requests = walk.requests, .error = std::move(error)};
  SliceClose close{
      .task = walk.task,
      .lineage = walk.run.lineage,
      .counts = walk.counts,
      .announced = walk.announced,
      .stats = RunStats(walk.requests, walk.waited_in_all, walk.throttled, walk.counts)};
  if (outcome.error) {
    close.status = domain::TaskStatus::kFailed;
    close.error = outcome.error->Describe();
    close.gap = fmt::format("stopped at page {}: {}", walk.position.page.value_or(0), *close.error);
  } else if (walk.announced && *walk.announced != walk.counts.received) {
    // Green means proven (I14): a walk that brought more or less than announced is not.
    close.status = domain::TaskStatus::kPartial;
    close.gap =
        fmt::format("{} records announced, {} received", *walk.announced, walk.counts.received);
  }
  outcome.status = close.status;
  const auto closed = PATRA_TRY(ledger_.Close(close));
  outcome.watermark_before = closed.watermark_before;
  outcome.watermark = closed.watermark;
  return outcome;
}

}  // namespace patra::app
