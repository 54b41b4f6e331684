#include "app/desk/engine_operations.h"

#include <fmt/format.h>

#include "app/desk/preview_report_of.h"
#include "app/source/save_exchange.h"
#include "app/verify/certify.h"
#include "app/work/run_operation.h"
#include "base/duration.h"
#include "domain/plan/price.h"

namespace patra::app {
namespace {

constexpr Duration kLeaseMin = std::chrono::seconds(1);
constexpr Duration kLeaseMax = std::chrono::minutes(10);

// Shorter ones run out while a busy machine renews them; longer ones leave the tasks of the dead lying.
Result<Duration> LeaseOf(const WorkRequest& request) {
  const auto lease = PATRA_TRY(ParseDuration(request.lease));
  if (lease >= kLeaseMin && lease <= kLeaseMax) return lease;
  return Fail(ErrorCode::kInvalidInput, fmt::format("a lease of {} is out of range", request.lease),
              {}, "write ‹wish.lease 1s› to ‹wish.lease 10m›");
}

Result<std::optional<Duration>> WaitMaxOf(const std::optional<std::string>& wish) {
  if (!wish) return std::nullopt;
  const auto most = PATRA_TRY(ParseDuration(*wish));
  if (most > Duration::zero()) return most;
  return Fail(ErrorCode::kInvalidInput, "waiting for so long is not waiting at all", {},
              "write ‹wish.wait_max 2m›");
}

}  // namespace

PlanRequest EngineOperations::InFolder(PlanRequest request) const {
  if (request.sources_folder.empty()) request.sources_folder = ports_.sources_folder;
  if (ports_.reads_registry) request.reads_registry = true;
  if (!request.source.rate && !ports_.rate.empty()) request.source.rate = ports_.rate;
  return request;
}

Result<PlanReport> EngineOperations::Plan(const PlanRequest& request) {
  auto report = PATRA_TRY(ports_.planner.Run(InFolder(request)));
  const auto& options = request.options;
  const bool is_asked = options.dry_run && options.asks && report.planned.price;
  if (is_asked) PATRA_TRY(AskProvider(request, report.planned));
  return report;
}

// A request like any other, which waits for its permit and counts; nothing of its answer is stored.
Result<void> EngineOperations::AskProvider(const PlanRequest& request, Planned& planned) {
  const auto where = PATRA_TRY(ports_.planner.Preview(InFolder(request)));
  if (!where.spec || planned.stretches.empty() || !planned.window) return {};
  const auto& spec = *where.spec;
  const auto& whole = *planned.window;
  const bool is_too_long = spec.window.longest && whole.width() > *spec.window.longest;
  const auto& window = is_too_long ? planned.stretches.front() : whole;
  const auto pages = PATRA_TRY(ports_.preview.Run(spec, window, {}));
  if (pages.empty()) return {};
  const auto& seen = pages.front();
  auto& price = *planned.price;
  if (!seen.problem.empty()) {
    price.basis =
        fmt::format("{}. It was asked for, and no page came: {}", price.basis, seen.problem);
  } else if (!seen.content.announced) {
    price.basis += ". 1 request was sent, and nothing is announced";
  } else if (is_too_long) {
    price.basis += fmt::format(". 1 request was sent, and {} records are announced for {}",
                               *seen.content.announced, window.Describe());
  } else {
    price = domain::PriceOfAnnounced(spec, price, *seen.content.announced);
  }
  return {};
}

Result<OperationSummary> EngineOperations::Run(const PlanRequest& plan, const WorkRequest& work,
                                               const OnProgress& on_progress) {
  const auto lease = PATRA_TRY(LeaseOf(work));
  const auto wait_max = PATRA_TRY(WaitMaxOf(work.wait_max));
  return RunOperation(ports_.planner, ports_.work)
      .Run(InFolder(plan),
           {.workers = work.workers,
            .lease = lease,
            .requests_max = plan.options.requests_max,
            .wait_max = wait_max},
           on_progress);
}

Result<WorkSummary> EngineOperations::Work(const WorkRequest& request, const OnWork& on_progress) {
  const auto lease = PATRA_TRY(LeaseOf(request));
  const auto wait_max = PATRA_TRY(WaitMaxOf(request.wait_max));
  return ports_.work.Run({.workers = request.workers,
                          .drain = request.drain,
                          .lease = lease,
                          .requests_max = request.requests_max,
                          .wait_max = wait_max},
                         on_progress);
}

Result<PreviewReport> EngineOperations::Preview(const PlanRequest& request,
                                                const PreviewWish& wish) {
  const auto asked = InFolder(request);
  const auto where = PATRA_TRY(ports_.planner.Preview(asked));
  if (!where.problems.empty()) return PreviewReport{.problems = where.problems};
  const auto& [spec, window] = std::tie(*where.spec, *where.window);
  const PreviewBounds bounds{.pages_max = wish.pages_max,
                             .ids_max = wish.records_max,
                             .wait_max = PATRA_TRY(WaitMaxOf(wish.wait_max))};
  const auto seen = PATRA_TRY(ports_.preview.Run(spec, window, bounds));
  auto report = ReportOf(spec, window, seen, wish.records_max);
  report.warnings.insert(report.warnings.begin(), where.warnings.begin(), where.warnings.end());
  if (!wish.saves) return report;
  const auto& source = asked.source;
  const bool is_plain = source.overrides.empty() && !source.query && !source.page_size;
  std::vector<std::string> exchanges;
  for (const auto& page : seen) {
    if (page.response) exchanges.push_back(ExchangeText({spec, window, page, is_plain}));
  }
  if (!exchanges.empty())
    report.saved =
        PATRA_TRY(SaveExchanges(ports_.files, asked.sources_folder, spec.provenance, exchanges));
  return report;
}

Result<ProposedSource> EngineOperations::Propose(const std::string& source,
                                                 const std::string& url) {
  return ports_.look.Run(source, url);
}

Result<ReplayReport> EngineOperations::Replay(const ReplayRequest& request,
                                              const domain::Actor& actor) {
  return ports_.replay.Run({.run = request.run,
                            .batch = request.batch,
                            .mode = request.mode,
                            .from_raw = request.from_raw,
                            .decision = ports_.mask.Decided(
                                actor, request.reason.empty() ? "replayed" : request.reason)});
}

Result<std::vector<domain::HealEntry>> EngineOperations::Heal() { return ports_.heal.Run(); }

Result<RepairReport> EngineOperations::Repair(const contract::Certificate& certificate,
                                              const std::vector<std::string>& overrides) {
  const auto plan_of = [&](Instant from, Instant to, bool is_gap) {
    PlanRequest plan{.from = FormatRfc3339(from), .to = FormatRfc3339(to), .gaps = is_gap};
    plan.source.target = certificate.key.Name();
    plan.source.operation = domain::Operation::kBackfill;
    plan.source.overrides = overrides;
    plan.options.again = !is_gap;
    return plan;
  };
  const bool has_gaps = !GapsToPlan(certificate).empty();
  const auto wrong = WindowsToReadAgain(certificate);
  RepairReport report{.is_needed = has_gaps || !wrong.empty()};
  const auto& range = certificate.range;
  if (has_gaps) PATRA_TRY(Repair(plan_of(range.from, range.to, true), report));
  for (const auto& window : wrong)
    PATRA_TRY(Repair(plan_of(window.from(), window.to(), false), report));
  return report;
}

Result<void> EngineOperations::Repair(const PlanRequest& request, RepairReport& report) {
  const auto planned = PATRA_TRY(Plan(request));
  if (!planned.problems.empty()) return std::unexpected(planned.problems.front());
  const auto& [made, given_up] = std::tie(planned.planned, planned.planned.given_up);
  if (made.kind == Planned::Kind::kHeld) report.held = made;
  report.slices += made.slices;
  report.tried_again += made.tried_again;
  report.given_up.insert(report.given_up.end(), given_up.begin(), given_up.end());
  return {};
}

}  // namespace patra::app
