#include "app/execute/commit_page.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/execute/outside_window.h"
#include "domain/heal/should_recut.h"
#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/ask_again.h"
#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

// What the rest of a slice waits for whose run has used up its budget.
constexpr std::string_view kBudget = "BUDGET";

// What the page names, where the whole list is read and tells what is gone by what it lacks.
std::vector<std::string> ListedOn(const domain::SpecSnapshot& spec,
                                  const domain::PageContent& page) {
  const bool tells = spec.gone == domain::GonePolicy::kTombstone &&
                     !domain::EnumerationOf(spec).knows_time &&
                     domain::EnumerationOf(spec).kind != domain::Enumerator::kExistingSet;
  if (!tells) return {};
  auto listed = page.ids;
  for (const auto& record : page.records) listed.push_back(record.id);
  for (const auto& bad : page.bad_records) listed.push_back(bad.id.value_or(""));
  return listed;
}

// Everything but the records, which are still to be moved, and what the clocks say.
BatchCommit BatchOf(const SliceRun& run, FetchedPage& fetched, const std::optional<Position>& after,
                    Answers answers) {
  auto& page = fetched.content;
  auto evidence = run.WithHealing(std::move(fetched.evidence));
  auto listed = ListedOn(run.spec, page);
  const auto taken_out = TakeOutOutside(run.spec, run.task.window(), page);
  const auto received = run.counts.received + static_cast<std::int64_t>(page.size());
  const auto announced = run.walk->announced();
  auto size = domain::AskedPageSize(run.spec, run.position);
  if (run.position.is_detail) size = std::ssize(answers.ids);
  return {.task = run.task,
          .lineage = run.opened.lineage,
          .batch_no = run.batch_no,
          .before = run.position,
          .after = after,
          .page_size = size,
          .listed = std::move(listed),
          .filtered = taken_out.records,
          .outside = taken_out.outside,
          .repeated = answers.repeated,
          .are_dated = run.spec.response.updated && !run.spec.response.updated_may_lie_ahead,
          .filter_step = domain::LengthOf(run.spec.window.granularity),
          .passed_over = page.passed_over,
          .found_ids = std::move(page.ids),
          .answered_ids = std::move(answers.ids),
          .bad_ids = std::move(answers.bad),
          .announced = announced,
          .walked = std::move(answers.walked),
          .requests_left = domain::RequestsLeft(run.spec, announced, received, after.has_value()),
          .evidence = std::move(evidence),
          .latency_ms = fetched.response.latency / std::chrono::milliseconds(1),
          .status = fetched.response.status};
}

}  // namespace

Result<std::optional<Position>> CommitPage::Run(SliceRun& run, FetchedPage& fetched,
                                                const std::optional<Position>& after,
                                                Answers answers) const {
  auto batch = BatchOf(run, fetched, after, std::move(answers));
  PATRA_TRY(CompareClocks(run, fetched.response));
  batch.provable_to = run.provable_to;
  batch.proven = &run.opened.proven;
  batch.dates_tell = DatesTellWindow(run.spec);
  batch.records = std::move(fetched.content.records);
  for (auto& record : batch.records)
    record.version.mapping_generation = run.task.mapping_generation;
  // Who has found a field once knows that its path is right.
  if (run.opened.is_first_read) run.unmet_fields.Look(batch.records);
  batch.bad_records = std::move(fetched.content.bad_records);
  // A record that came after its id was listed is as new as the list. Both times are ours: the provider's
  // clock, or a window of its time, would say nothing about when we looked.
  if (domain::EnumerationOf(run.spec).gives_ids) batch.fresh_since = fetched.response.received_at;
  if (policy_.keep_raw_pages && run.spec.keep_raw_pages && !fetched.response.body.empty()) {
    batch.raw_page = RawPage{fetched.response.content_type, std::move(fetched.response.body),
                             fetched.response.received_at, std::move(fetched.body_hash)};
  }
  auto stored = Store(run, batch);
  if (!stored) run.dropped = std::move(batch.evidence);
  const auto committed = PATRA_TRY(std::move(stored));
  if (batch.walked && committed.walk)
    run.walk.emplace(run.spec, run.task.slice, *committed.walk, committed.walked);
  run.counts += committed.counts;
  if (!committed.already_there) {
    run.told += batch.evidence.sent;
  }
  if (committed.already_there) {
    ports_.log.Write(LogLevel::kInfo, "key.met", run.opened.lineage,
                     {{"kind", "batch"}, {"count", 1}, {"batchNo", std::int64_t{run.batch_no}}});
  } else {
    TellCommitted(run, fetched, batch.evidence.sent, committed);
  }
  run.batches.Count(fetched.retries > batch.evidence.sent.throttled);
  run.request = committed.request;
  run.opened.lineage.batch = committed.next_batch;
  ++run.batch_no;
  const bool is_first = batch.batch_no == 1 && !run.opened.is_resumed;
  run.on_batch({.counts = committed.counts,
                .announced = is_first ? batch.announced : std::nullopt,
                .waited = batch.evidence.sent.waited,
                .latency = fetched.response.latency,
                .requests = batch.evidence.sent.requests,
                .retries = batch.evidence.sent.retries,
                .throttled = batch.evidence.sent.throttled,
                .begins_walk = is_first,
                .slice_received = run.counts.received,
                .slice_announced = run.walk->announced()});
  return committed.after;
}

void CommitPage::TellCommitted(const SliceRun& run, const FetchedPage& fetched,
                               const domain::RequestsSent& sent,
                               const BatchCommitted& committed) const {
  const auto& counts = committed.counts;
  const auto& response = fetched.response;
  ports_.log.Write(LogLevel::kInfo, "batch.committed", run.opened.lineage,
                   {{"batchNo", std::int64_t{run.batch_no}},
                    {"received", counts.received},
                    {"inserted", counts.inserted},
                    {"updated", counts.updated},
                    {"skipped", counts.unchanged + counts.stale + counts.filtered},
                    {"quarantined", counts.quarantined},
                    {"repeated", counts.repeated},
                    {"late", counts.late},
                    {"hasNext", committed.after.has_value()},
                    {"status", std::int64_t{response.status}},
                    {"retries", std::int64_t{sent.retries}},
                    {"waitedMs", sent.waited / std::chrono::milliseconds(1)},
                    {"tookMs", (response.latency + (ports_.clock.Now() - response.received_at)) /
                                   std::chrono::milliseconds(1)}});
}

Result<void> CommitPage::CompareClocks(SliceRun& run, const HttpResponse& response) const {
  run.clocks.Note(response);
  run.provable_to =
      run.clocks.ProvableTo(run.task.window().to(), run.spec.window.safety_lag,
                            run.opened.provable_to, run.observed_max, ports_.clock.Now());
  if (!run.provable_to) return {};
  const auto grid = PATRA_TRY(domain::CutPolicy::Of(run.spec)).grid;
  run.provable_to = grid.Floor(*run.provable_to);
  return {};
}

Result<BatchCommitted> CommitPage::Store(const SliceRun& run, const BatchCommit& batch) const {
  auto stored = ports_.ledger.Commit(batch);
  if (!stored && stored.error().code == ErrorCode::kCorruption) {
    ports_.log.Write(LogLevel::kError, "ledger.contradiction", run.opened.lineage,
                     {{"source", run.task.lane.provenance},
                      {"endpoint", run.task.lane.endpoint},
                      {"reason", stored.error().message}});
  }
  return stored;
}

Result<BrokenOff> CommitPage::ObeySelfHealing(SliceRun& run) const {
  if (!run.request) return std::nullopt;
  if (run.request->what == domain::SliceRequest::kFail)
    return NoPage{.kind = NoPage::Kind::kWrong, .reason = run.request->reason};
  if (PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) run.reslice = run.request->reason;
  return std::nullopt;
}

// Where nobody can come back to a page, the run would begin anew each time and never end: there the budget has to be kept by
// smaller slices, and what cannot be cut is read to its end.
Result<BrokenOff> CommitPage::WhySpent(const SliceRun& run, std::int64_t page_records) const {
  const auto& budget = run.task.slice.budget;
  const auto used_up = domain::WhatIsUsedUp(
      budget, {.requests = run.tally.sent.requests,
               .records = run.counts.received - run.opened.so_far.received + page_records,
               .elapsed = ports_.clock.Elapsed() - run.started});
  if (!used_up) return std::nullopt;
  const bool is_lost = !run.position.is_detail && !domain::CanComeBack(run.spec, budget.pause);
  if (is_lost && !PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) return std::nullopt;
  return NoPage{.kind = NoPage::Kind::kSpent,
                .reason = fmt::format("{}: {} in one run", kBudget, *used_up),
                .until = ports_.clock.Now() + budget.pause};
}

Result<std::optional<std::string>> CommitPage::WhyRecut(const SliceRun& run, const RunTally& tally,
                                                        const PageSeen& page) const {
  const auto& paging = run.spec.paging;
  const bool is_size_ours =
      paging.style == domain::PagingStyle::kPage || paging.style == domain::PagingStyle::kOffset;
  // Without history the planner expects at least one request, which is no estimate; and where the provider told
  // how much there is, the rest is known and would only be read twice.
  const auto& slice = run.task.slice;
  const auto announced = run.walk->announced();
  const bool is_estimate = slice.expected_records && !announced;
  // A slice of a few pages is read sooner than it is cut.
  const auto pages = announced ? *announced / std::max<std::int64_t>(paging.size, 1)
                               : static_cast<std::int64_t>(tally.pages);
  const auto& usual = run.opened.usual;
  const bool is_worth_it = usual && pages >= policy_.recut.requests_min;
  auto why =
      domain::ShouldRecut({.elapsed = ports_.clock.Elapsed() - run.started,
                           .requests = tally.sent.requests,
                           .throttled = tally.sent.throttled,
                           .failures_in_a_row = run.failing_pages,
                           .pages = tally.pages,
                           .pages_expected = is_estimate ? slice.expected_requests : std::nullopt,
                           .page_bytes = page.bytes,
                           .page_records = page.records,
                           .page_size = is_size_ours ? paging.size : 0,
                           .records = announced.value_or(run.counts.received),
                           .records_mean = is_worth_it ? std::optional(usual->mean) : std::nullopt,
                           .records_deviation = is_worth_it ? usual->deviation : 0},
                          policy_.recut);
  if (!why || !PATRA_TRY(domain::CanCut(run.spec, slice))) return std::nullopt;
  return why;
}

BrokenOff CommitPage::WhyEnough(const SliceRun& run) const {
  if (const auto why = domain::TooManyFail(run.batches, policy_.failing))
    return NoPage{.kind = NoPage::Kind::kFailing, .reason = *why};
  if (ports_.stop.asked()) return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
  return std::nullopt;
}

}  // namespace patra::app
