#include "adapter/cli/fuse_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "domain/word/source_target.h"

namespace patra::adapter::cli {
namespace {

Result<std::vector<domain::Fuse>> Find(const FuseListing& listing, app::Holds& holds) {
  auto filter = listing.filter;
  if (!listing.target.empty()) {
    const auto named = domain::TargetOf(listing.target);
    filter.source = named.source;
    filter.endpoint = named.endpoint.value_or("");
  }
  return holds.Fuses(filter);
}

std::string StateOf(const domain::Fuse& fuse) { return fuse.reset_at ? "reset" : "BLOWN"; }

// "2026-01-31T10:00:00Z by anna: a new key"
std::string ResetOf(const domain::Fuse& fuse) {
  if (!fuse.reset_at) return "-";
  return fmt::format("{} by {}: {}", When(fuse.reset_at), fuse.reset_by, fuse.reset_reason);
}

void PrintTable(const std::vector<domain::Fuse>& fuses, const Console& console) {
  Table table({"source", "state", "since", "reason", "reset"});
  for (const auto& fuse : fuses) {
    table.Add({fuse.provenance + "/" + fuse.endpoint, StateOf(fuse), When(fuse.blown_at),
               Short(fuse.reason, 200), ResetOf(fuse)});
  }
  fmt::print(console.out, "{}", table.Print(console));
}

std::string NothingBlown(const FuseListing& listing) {
  return listing.filter.with_reset ? "no fuse has ever blown" : "no fuse has blown";
}

Result<int> List(const FuseListing& listing, app::Holds& holds, const Console& console) {
  const auto fuses = PATRA_TRY(Find(listing, holds));
  if (listing.as_json) {
    for (const auto& fuse : fuses) PrintJsonLine(console, ToObject(app::FactsOf(fuse)));
    return kComplete;
  }
  if (fuses.empty()) {
    fmt::print(console.out, "{}\n", NothingBlown(listing));
    return kComplete;
  }
  PrintTable(fuses, console);
  if (!console.quiet)
    fmt::print(console.err,
               "`patra fuse show SOURCE` tells over what; when the cause is gone: `patra fuse "
               "reset SOURCE/ENDPOINT --reason …`\n");
  return kComplete;
}

Result<int> Show(const FuseListing& listing, app::Holds& holds, const Console& console) {
  const auto fuses = PATRA_TRY(Find(listing, holds));
  if (fuses.empty()) {
    return Fail(ErrorCode::kNotFound, fmt::format("no fuse of {} has ever blown", listing.target),
                {}, "`patra fuse list --all` shows those that have");
  }
  if (listing.as_json) {
    for (const auto& fuse : fuses) PrintJsonLine(console, ToObject(app::FactsOf(fuse)));
    return kComplete;
  }
  fmt::print(console.out, "{}", Lines(app::FactsOf(fuses.front())));
  if (fuses.size() > 1) {
    fmt::print(console.out, "\nbefore\n");
    PrintTable({fuses.begin() + 1, fuses.end()}, console);
  }
  return kComplete;
}

}  // namespace

int RunFuseList(const FuseListing& listing, app::Holds& holds, const Console& console) {
  return PrintError(console, List(listing, holds, console));
}

int RunFuseShow(const FuseListing& listing, app::Holds& holds, const Console& console) {
  return PrintError(console, Show(listing, holds, console));
}

int RunFuseReset(const FuseReset& reset, app::Holds& holds, const domain::Actor& actor,
                 const Console& console) {
  const auto done = holds.ResetFuse(reset.target, reset.reason, actor);
  if (!done) return PrintError(console, done.error());
  if (!console.quiet) fmt::print(console.out, "{} may go on\n", reset.target);
  return kComplete;
}

}  // namespace patra::adapter::cli
