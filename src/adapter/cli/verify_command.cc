#include "adapter/cli/verify_command.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"

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
  fmt::print(console.out, "{}", table.Print(console));
}

void PrintGaps(const Certificate& certificate, const Console& console) {
  const auto& gaps = certificate.gaps;
  for (std::size_t i = 0; i < std::min(gaps.size(), kLinesShown); ++i) {
    const auto& gap = gaps[i];
    fmt::print(console.out, "{}  {}  {}{}\n         {}\n",
               gap.kind == contract::GapKind::kEarly ? "later  " : "gap    ", WindowOf(gap.stretch),
               Short(gap.reason, 200),
               gap.slice == 0 ? "" : fmt::format(" (plan {}, slice {})", gap.plan, gap.slice),
               Typed(gap.repair));
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
    return fmt::format("not complete: {}, {} unbalanced",
                       Several(std::ssize(certificate.gaps), "gap"),
                       Several(std::ssize(certificate.imbalances), "slice"));
  }
  const std::string asked =
      certificate.asked_otherwise.empty() ? "" : ", in part for what an earlier definition asked";
  const auto reached =
      certificate.gaps.empty()
          ? std::string()
          : fmt::format(" up to {}", FormatRfc3339(certificate.gaps.front().stretch.from));
  if (certificate.quarantine_open > 0) {
    return fmt::format("complete{}{}, with {} records in quarantine", reached, asked,
                       Counted(certificate.quarantine_open));
  }
  return "complete" + reached + asked;
}

// A provider that ends its lists too early proves nothing but that it did.
void PrintDoubt(const Certificate& certificate, const Console& console) {
  std::int64_t slices = 0;
  for (const auto& [stretch, plans] : certificate.proven) {
    for (const auto& by : plans) slices += by.by_end_rule;
  }
  if (slices == 0) return;
  fmt::print(
      console.out,
      "note     nothing announced how many records {} of the slices have: the provider's own "
      "word ended their lists\n",
      Thousands(slices));
}

// What a definition asked for that was changed since is complete, and what this one asks for may be more.
void PrintAskedOtherwise(const Certificate& certificate, const Console& console) {
  const auto& stretches = certificate.asked_otherwise;
  for (const auto& stretch : stretches | std::views::take(kLinesShown)) {
    fmt::print(
        console.out,
        "note     {}  proven by a definition that asked otherwise ({}): what only this one asks "
        "for is not here\n         patra harvest {} --from {} --to {} --again\n",
        WindowOf(stretch), fmt::join(certificate.asked_otherwise_by, ", "), certificate.key.Name(),
        FormatRfc3339(stretch.from), FormatRfc3339(stretch.to));
  }
  if (stretches.size() > kLinesShown)
    fmt::print(console.out, "and {} more such stretches; --json has all\n",
               stretches.size() - kLinesShown);
}

void Print(const Certificate& certificate, const Console& console) {
  fmt::print(console.out, "{}  {}  query {}\n", certificate.key.Name(), WindowOf(certificate.range),
             certificate.key.query_hash.substr(0, 12));
  PrintProven(certificate, console);
  PrintGaps(certificate, console);
  PrintDoubt(certificate, console);
  PrintAskedOtherwise(certificate, console);
  fmt::print(console.out, "{}: {}\n", certificate.key.Name(), Verdict(certificate));
}

int CodeOf(const std::vector<Certificate>& certificates) {
  const auto all = [&](auto good) { return std::ranges::all_of(certificates, good); };
  if (!all([](const Certificate& c) { return c.is_complete(); })) return kFailed;
  return all([](const Certificate& c) { return c.quarantine_open == 0; }) ? kComplete
                                                                          : kQuarantined;
}

// Executors bring what is planned; until they have, the verdict stays.
Result<void> Repair(const VerifyCommand& command, const Certificate& certificate,
                    app::Operations& engine, const Console& console) {
  const auto name = certificate.key.Name();
  const auto repair = PATRA_TRY(engine.Repair(certificate, command.overrides));
  if (!repair.is_needed) return {};
  if (repair.held) {
    fmt::print(console.err, "{}: nothing is planned: {}\nnext: {}\n", name, repair.held->reason,
               repair.held->hint);
    return {};
  }
  for (const auto& slice : repair.given_up)
    fmt::print(console.err,
               "{}: given up: {}, tried {} times: {}\nnext: patra task requeue {} --reason WHY\n",
               name, slice.window.Describe(), Thousands(slice.tries), Short(slice.reason, 200),
               slice.task);
  if (repair.slices + repair.tried_again == 0) {
    fmt::print(console.err, "{}: nothing is planned for the gaps\n", name);
    return {};
  }
  fmt::print(console.err,
             "{}: planned {} slices for the gaps, tries {} again that were not finished; `patra "
             "work --drain` brings them\n",
             name, Thousands(repair.slices), Thousands(repair.tried_again));
  return {};
}

Result<int> Verify(const VerifyCommand& command, app::Verification& verification,
                   const OpenEngine& open_engine, const Console& console) {
  const auto certificates = PATRA_TRY(verification.Certify(command.request));
  std::shared_ptr<app::Operations> engine;
  if (command.repair) engine = PATRA_TRY(open_engine());
  for (const auto& certificate : certificates) {
    if (command.as_json) {
      PrintJsonLine(console, ToValue(certificate));
    } else {
      Print(certificate, console);
    }
    if (engine) PATRA_TRY(Repair(command, certificate, *engine, console));
  }
  return CodeOf(certificates);
}

}  // namespace

int RunVerify(const VerifyCommand& command, app::Verification& verification,
              const OpenEngine& open_engine, const Console& console) {
  return PrintError(console, Verify(command, verification, open_engine, console));
}

}  // namespace patra::adapter::cli
