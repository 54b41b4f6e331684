#include "app/execute/execute_task.h"

#include <fmt/format.h>

#include "app/execute/render_request.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"

namespace patra::app {
namespace {

// What a person needs to recognise the exchange; bodies are in the raw vault.
std::string RequestDigest(const HttpRequest& request) {
  return CanonicalJson(Value::Object{{"method", request.method}, {"url", request.url}});
}

std::string ResponseDigest(const HttpResponse& response) {
  return CanonicalJson(Value::Object{{"status", response.status},
                                     {"contentType", response.content_type},
                                     {"bytes", static_cast<std::int64_t>(response.body.size())},
                                     {"sha256", Sha256Hex(response.body)}});
}

std::string RunStats(int requests, const domain::RecordCounts& counts) {
  return CanonicalJson(Value::Object{{"reqCount", requests},
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
  domain::SpecSnapshot spec;
  RunOpened run;
  Position position;
  int batch_no = 1;
  int requests = 0;
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;
  HttpRequest request;
  Duration waited{};
};

Result<TaskOutcome> ExecuteTask::Run(const LeasedTask& task, const OnBatch& on_batch) {
  const auto snapshot = PATRA_TRY(ParseJson(task.plan_snapshot));
  auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
  if (spec.paging.style != domain::PagingStyle::kPage || spec.details) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("this executor walks by page number, not by {}",
                            spec.details ? "ids and details" : CodeOf(spec.paging.style)),
                {}, "the task stays queued for an executor that can");
  }
  const auto run = PATRA_TRY(ledger_.Open(task, Position{.page = spec.paging.first_page}));

  Walk walk{.task = task,
            .spec = std::move(spec),
            .run = run,
            .position = run.start,
            .batch_no = run.batch_no,
            .counts = run.so_far};

  const auto walked = WalkPages(walk, on_batch);
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
        .response_digest = ResponseDigest(response),
        .latency_ms = std::chrono::floor<std::chrono::milliseconds>(response.latency).count()};
    const auto latency = response.latency;
    batch.raw_page = RawPage{response.content_type, std::move(response.body), response.received_at};
    const auto committed = PATRA_TRY(ledger_.Commit(batch));
    walk.counts += committed.counts;
    on_batch({committed.counts, page.announced, walk.waited, latency});

    if (!next) return {};
    walk.position = *next;
    walk.run.lineage.batch = committed.next_batch;
    ++walk.batch_no;
  }
}

Result<HttpResponse> ExecuteTask::Fetch(Walk& walk) {
  walk.request = PATRA_TRY(RenderRequest(walk.spec, walk.task.window, walk.position));
  walk.waited = PATRA_TRY(gate_.Acquire(walk.spec.provenance, walk.spec.PacingRate()));
  ++walk.requests;
  return transport_.Send(walk.request);
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
  SliceClose close{.task = walk.task,
                   .lineage = walk.run.lineage,
                   .counts = walk.counts,
                   .announced = walk.announced,
                   .stats = RunStats(walk.requests, walk.counts)};
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
