#include "adapter/cli/verify_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/verify/certify.h"
#include "app/verify/verify_completeness.h"
#include "base/moment.h"

namespace patra::adapter::cli {
namespace {

using contract::Certificate;

constexpr std::size_t kLinesShown = 20;

std::string WindowOf(const contract::Stretch& stretch) {
  return fmt::format("{} .. {}", FormatRfc3339(stretch.from), FormatRfc3339(stretch.to));
}

std::string ProofOf(const contract::ProvenBy& by) {
  std::string text;
  const auto add = [&](std::int64_t slices, std::string_view how) {
    if (slices > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Thousands(slices), how);
  };
  add(by.by_exact_total, "exact total");
  add(by.by_estimate, "estimate");
  add(by.by_end_rule, "end rule");
  return text;
}

void PrintProven(const Certificate& certificate, const Console& console) {
  if (certificate.proven.empty()) return;
  Table table({"proven", "plan", "operation", "slices", "proof", "announced", "received", "new",
               "updated", "unchanged", "stale", "quarantined", "filtered", "missing", "closed"});
  for (const auto& [stretch, plans] : certificate.proven) {
    if (plans.empty()) table.Add({WindowOf(stretch), "-"});
    for (const auto& by : plans) {
      const auto& sums = by.sums;
      table.Add({&by == plans.data() ? WindowOf(stretch) : "", fmt::to_string(by.plan),
                 by.operation, Thousands(by.slices), ProofOf(by),
                 sums.announced ? Thousands(*sums.announced) : "-", Thousands(sums.received),
                 Thousands(sums.inserted), Thousands(sums.updated), Thousands(sums.unchanged),
                 Thousands(sums.stale), Thousands(sums.quarantined), Thousands(sums.filtered),
                 Thousands(sums.missing()), When(by.closed_last)});
    }
  }
  fmt::print(console.out, "{}", table.Print());
}

void PrintGaps(const Certificate& certificate, const Console& console) {
  const auto& gaps = certificate.gaps;
  for (std::size_t i = 0; i < std::min(gaps.size(), kLinesShown); ++i) {
    const auto& gap = gaps[i];
    fmt::print(console.out, "{}  {}  {}{}\n         {}\n",
               gap.kind == contract::GapKind::kEarly ? "later  " : "gap    ", WindowOf(gap.stretch),
               Short(gap.reason, 200),
               gap.slice == 0 ? "" : fmt::format(" (plan {}, slice {})", gap.plan, gap.slice),
               gap.repair);
  }
  if (gaps.size() > kLinesShown)
    fmt::print(console.out, "and {} more gaps; --json has all\n", gaps.size() - kLinesShown);
  for (const auto& imbalance : certificate.imbalances) {
    fmt::print(console.out, "unproven {}  {} (plan {}, slice {})\n", WindowOf(imbalance.stretch),
               imbalance.reason, imbalance.plan, imbalance.slice);
  }
}

std::string Verdict(const Certificate& certificate) {
  if (!certificate.is_complete()) {
    return fmt::format("not complete: {} gaps, {} slices that do not balance",
                       certificate.gaps.size(), certificate.imbalances.size());
  }
  const auto reached =
      certificate.gaps.empty()
          ? std::string()
          : fmt::format(" up to {}", FormatRfc3339(certificate.gaps.front().stretch.from));
  if (certificate.quarantine_open > 0) {
    return fmt::format("complete{}, with {} records in quarantine", reached,
                       Counted(certificate.quarantine_open));
  }
  return "complete" + reached;
}

void Print(const Certificate& certificate, const Console& console) {
  fmt::print(console.out, "{}  {}  query {}\n", certificate.key.Name(), WindowOf(certificate.range),
             certificate.key.query_hash.substr(0, 12));
  PrintProven(certificate, console);
  PrintGaps(certificate, console);
  fmt::print(console.out, "{}: {}\n", certificate.key.Name(), Verdict(certificate));
}

int CodeOf(const std::vector<Certificate>& certificates) {
  const auto all = [&](auto good) { return std::ranges::all_of(certificates, good); };
  if (!all([](const Certificate& c) { return c.is_complete(); })) return kFailed;
  return all([](const Certificate& c) { return c.quarantine_open == 0; }) ? kComplete
                                                                          : kQuarantined;
}

Result<app::VerifyCommand> CommandOf(const VerifyRequest& request, Instant now) {
  const auto slash = request.target.find('/');
  app::VerifyCommand command{.source = request.target.substr(0, slash)};
  if (slash != std::string::npos) command.endpoint = request.target.substr(slash + 1);
  if (request.from) command.from = PATRA_TRY(ParseMoment(*request.from, now));
  if (request.to) command.to = PATRA_TRY(ParseMoment(*request.to, now));
  return command;
}

// Plans exactly what is not proven: gaps, and once more what was read and does not add up. Executors bring it; until they
// have, the verdict stays.
Result<void> Repair(const VerifyRequest& request, const Certificate& certificate,
                    PlanServices& plans, const Console& console) {
  const auto name = certificate.key.Name();
  std::int64_t slices = 0;
  std::int64_t tried_again = 0;
  std::vector<domain::UnfinishedSlice> given_up;
  std::optional<app::Planned> held;
  const auto repair = [&](const contract::Stretch& stretch, bool is_gap) -> Result<void> {
    app::PlanRequest plan{.sources_folder = request.sources_folder,
                          .from = FormatRfc3339(stretch.from),
                          .to = FormatRfc3339(stretch.to),
                          .gaps = is_gap};
    plan.source.target = certificate.key.Name();
    plan.source.operation = domain::Operation::kBackfill;
    plan.source.overrides = request.overrides;
    plan.options.again = !is_gap;
    const auto report = PATRA_TRY(plans.Plan(request.database, request.configuration, plan));
    if (!report.problems.empty()) return std::unexpected(report.problems.front());
    const auto& planned = report.planned;
    if (planned.kind == app::Planned::Kind::kHeld) held = planned;
    slices += planned.slices;
    tried_again += planned.tried_again;
    given_up.insert(given_up.end(), planned.given_up.begin(), planned.given_up.end());
    return {};
  };
  const bool has_gaps = !app::GapsToPlan(certificate).empty();
  const auto wrong = app::WindowsToReadAgain(certificate);
  if (!has_gaps && wrong.empty()) return {};
  if (has_gaps) PATRA_TRY(repair(certificate.range, true));
  for (const auto& window : wrong) PATRA_TRY(repair({window.from(), window.to()}, false));
  if (held) {
    fmt::print(console.err, "{}: nothing is planned: {}\nnext: {}\n", name, held->reason,
               held->hint);
    return {};
  }
  for (const auto& slice : given_up)
    fmt::print(console.err,
               "{}: given up: {}, tried {} times: {}\nnext: patra task requeue {} --reason WHY\n",
               name, slice.window.Describe(), Thousands(slice.tries), Short(slice.reason, 200),
               slice.task);
  if (slices + tried_again == 0) {
    fmt::print(console.err, "{}: nothing is planned for the gaps\n", name);
    return {};
  }
  fmt::print(console.err,
             "{}: planned {} slices for the gaps, tries {} again that were not finished; `patra "
             "work --drain` brings them\n",
             name, Thousands(slices), Thousands(tried_again));
  return {};
}

Result<int> Verify(const VerifyRequest& request, LedgerServices& services, PlanServices& plans,
                   const Clock& clock, const Console& console) {
  const auto command = PATRA_TRY(CommandOf(request, clock.Now()));
  const auto read = PATRA_TRY(services.OpenStore(request.database));
  const auto certificates =
      PATRA_TRY(app::VerifyCompleteness(read->completeness(), clock).Run(command));
  for (const auto& certificate : certificates) {
    if (request.as_json) {
      PrintJsonLine(console, ToValue(certificate));
    } else {
      Print(certificate, console);
    }
    if (request.repair) PATRA_TRY(Repair(request, certificate, plans, console));
  }
  return CodeOf(certificates);
}

}  // namespace

int RunVerify(const VerifyRequest& request, LedgerServices& services, PlanServices& plans,
              const Clock& clock, const Console& console) {
  return Told(console, Verify(request, services, plans, clock, console));
}

}  // namespace patra::adapter::cli
