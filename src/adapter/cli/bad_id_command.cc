#include "adapter/cli/bad_id_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/moment.h"
#include "domain/word/source_target.h"

namespace patra::adapter::cli {
namespace {

Result<int> List(const BadIdListing& listing, app::Quarantine& quarantine, const Clock& clock,
                 const Console& console) {
  const auto named = domain::TargetOf(listing.target);
  domain::BadIdFilter filter{.provenance = named.source,
                             .endpoint = named.endpoint.value_or(""),
                             .reason = listing.listed_for};
  if (!listing.before.empty())
    filter.listed_before = PATRA_TRY(ParseMoment(listing.before, clock.Now()));
  const auto ids = PATRA_TRY(quarantine.BadIds(filter, listing.ids_max));
  if (listing.as_json) {
    for (const auto& id : ids) PrintRecordLine(console, ToObject(app::FactsOf(id)));
    return kComplete;
  }
  if (ids.empty()) {
    fmt::print(console.out, "no id is listed here\n");
    return kComplete;
  }
  Table table({"id", "source", "listed", "batch", "reason"});
  for (const auto& id : ids) {
    table.Add({id.item_id, id.provenance + "/" + id.endpoint, When(id.listed_at),
               fmt::to_string(id.batch), Short(id.reason, 120)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet)
    fmt::print(console.err,
               "`patra quarantine release-id SOURCE/ENDPOINT ID --reason …` asks for one again, "
               "`release-id SOURCE --all --reason …` for all\n");
  return kComplete;
}

Result<int> Release(const IdRelease& release, app::Quarantine& quarantine,
                    const domain::Actor& actor, const Console& console) {
  const auto report = PATRA_TRY(quarantine.ReleaseIds(release.request, actor));
  if (release.as_json) {
    for (const auto& id : report.released) PrintRecordLine(console, ToObject(app::FactsOf(id)));
    return kComplete;
  }
  for (const auto& id : report.not_listed)
    fmt::print(console.out, "{} is not on the list of bad ids\n", Short(id, 200));
  if (release.request.all) {
    fmt::print(console.out, "{} asked for again from now on\n",
               report.released.size() == 1
                   ? "1 id is"
                   : fmt::format("{} ids are", Thousands(std::ssize(report.released))));
    const bool is_cut = std::cmp_equal(report.released.size(), release.request.ids_max);
    if (is_cut && !console.quiet)
      fmt::print(console.err, "there may be more: the same command again, or --limit\n");
    return kComplete;
  }
  for (const auto& id : report.released)
    fmt::print(console.out, "{} is asked for again from now on\n", Short(id.item_id, 200));
  return kComplete;
}

}  // namespace

int RunBadIds(const BadIdListing& listing, app::Quarantine& quarantine, const Clock& clock,
              const Console& console) {
  return PrintError(console, List(listing, quarantine, clock, console));
}

int RunReleaseIds(const IdRelease& release, app::Quarantine& quarantine, const domain::Actor& actor,
                  const Console& console) {
  return PrintError(console, Release(release, quarantine, actor, console));
}

}  // namespace patra::adapter::cli
