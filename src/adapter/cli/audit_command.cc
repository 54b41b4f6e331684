#include "adapter/cli/audit_command.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

using contract::AuditRow;

// Of one object, whose type is upper case in the ledger; people need not care.
Result<std::vector<AuditRow>> AboutObject(const AuditListing& listing,
                                          contract::LedgerQueries& ledger) {
  const auto slash = listing.object.find('/');
  if (slash == std::string::npos) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no TYPE/ID", listing.object), {},
                "as `patra audit list` shows them, such as TASK/42 or SOURCE/crossref/works");
  }
  auto type = listing.object.substr(0, slash);
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto id = listing.object.substr(slash + 1);
  std::vector<AuditRow> rows;
  for (auto& decision : PATRA_TRY(ledger.Decisions(type, id, listing.entries_max)))
    rows.push_back({std::move(decision), type, id});
  return rows;
}

Result<std::vector<AuditRow>> Find(const AuditListing& listing, contract::LedgerQueries& ledger) {
  if (!listing.object.empty()) return AboutObject(listing, ledger);
  const Id before = listing.before.empty() ? 0 : PATRA_TRY(ParseId(listing.before));
  return ledger.Audit(before, listing.entries_max);
}

Result<int> List(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console) {
  const auto rows = PATRA_TRY(Find(listing, ledger));
  if (listing.as_json) {
    for (const auto& row : rows) PrintJsonLine(console, ToObject(FactsOf(row)));
    return kComplete;
  }
  if (rows.empty()) {
    fmt::print(console.out, "nobody decided anything\n");
    return kComplete;
  }
  Table table({"id", "when", "who", "by", "did", "to", "why"});
  for (const auto& row : rows) {
    const auto& decision = row.decision;
    table.Add({fmt::to_string(decision.id), When(decision.at), decision.actor, decision.way,
               decision.action, fmt::format("{}/{}", row.object_type, row.object),
               Short(decision.reason, 120)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet) {
    const bool is_cut = std::cmp_equal(rows.size(), listing.entries_max) && listing.object.empty();
    fmt::print(
        console.err, "{}`patra audit show ID` tells on what it was decided\n",
        is_cut ? fmt::format("--before {} shows older ones; ", rows.back().decision.id) : "");
  }
  return kComplete;
}

Result<int> Show(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console) {
  const auto id = PATRA_TRY(ParseId(listing.id));
  const auto rows = PATRA_TRY(ledger.Audit(id + 1, 1));
  if (rows.empty() || rows.front().decision.id != id) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no decision {}", id), {},
                "`patra audit list` shows those that are there");
  }
  if (listing.as_json) {
    PrintJsonLine(console, ToObject(FactsOf(rows.front())));
  } else {
    fmt::print(console.out, "{}", Lines(FactsOf(rows.front())));
  }
  return kComplete;
}

}  // namespace

int RunAuditList(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console) {
  return PrintError(console, List(listing, ledger, console));
}

int RunAuditShow(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console) {
  return PrintError(console, Show(listing, ledger, console));
}

}  // namespace patra::adapter::cli
