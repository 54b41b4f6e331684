#include "adapter/cli/status_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

using contract::EndpointStatus;
using contract::StoreStatus;

std::string Lag(const std::optional<Instant>& reached, Instant now) {
  return reached ? Roughly(now - *reached) : "-";
}

std::string LastRun(const EndpointStatus& endpoint) {
  if (!endpoint.last_run) return "-";
  const auto& run = *endpoint.last_run;
  return fmt::format("{} {}", run.status, When(run.finished_at ? run.finished_at : run.started_at));
}

std::string NameOf(const EndpointStatus& endpoint) {
  return endpoint.source + "/" + endpoint.endpoint;
}

void PrintEndpoints(const StoreStatus& status, const Console& console) {
  Table table({"source", "watermark", "lag", "newest seen", "running", "queued", "parked", "failed",
               "partial", "quarantine", "24h new", "24h updated", "24h requests", "last run"});
  for (const auto& endpoint : status.endpoints) {
    const auto& day = endpoint.last_day;
    table.Add({NameOf(endpoint), When(endpoint.watermark), Lag(endpoint.watermark, status.now),
               Lag(endpoint.observed_max, status.now), Thousands(endpoint.running),
               Counted(endpoint.queued),
               Thousands(endpoint.tasks_parked()) + (status.parked_is_cut ? "+" : ""),
               Counted(endpoint.slices_failed), Counted(endpoint.slices_partial),
               Counted(endpoint.quarantine_open), Thousands(day.inserted), Thousands(day.updated),
               Thousands(day.requests), LastRun(endpoint)});
  }
  fmt::print(console.out, "{}", table.Print(console));
}

void PrintWaiting(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    for (const auto& [reason, until, tasks] : endpoint.parked) {
      fmt::print(console.out, "waiting  {}: {} tasks for {}, {}\n", NameOf(endpoint),
                 Thousands(tasks), Short(reason),
                 until > status.now ? fmt::format("until {}", When(until)) : "due now");
      if (const auto hint = EndsCoolDown(reason); !hint.empty())
        fmt::print(console.out, "         {}\n", hint);
    }
  }
}

void PrintAlerts(const StoreStatus& status, const Console& console) {
  if (status.alerts == 0) return;
  fmt::print(console.out, "alerts   {} fire\n         patra alerts list\n", status.alerts);
  for (const auto& alert : status.newest_alerts)
    fmt::print(console.out, "         {}: {}\n", alert.key, Short(alert.message, 500));
}

void PrintFiltered(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    const auto& day = endpoint.last_day;
    if (day.filtered == 0) continue;
    fmt::print(console.out, "filtered {}: {} of {} records of the last 24 hours were left out\n",
               NameOf(endpoint), Thousands(day.filtered), Thousands(day.received));
  }
}

void PrintFreshness(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    const auto& freshness = endpoint.freshness;
    if (!freshness || !freshness->oldest) continue;
    const auto name = NameOf(endpoint);
    const auto within = FormatDuration(freshness->within);
    const auto oldest = Roughly(status.now - *freshness->oldest);
    if (freshness->overdue == 0) {
      fmt::print(console.out,
                 "fresh    {}: every record was looked at within {}, the oldest {} ago\n", name,
                 within, oldest);
    } else {
      fmt::print(console.out,
                 "stale    {}: {} records were not looked at within {}, the oldest {} ago\n"
                 "         patra update {} --stale\n",
                 name, Counted(freshness->overdue), within, oldest, name);
    }
  }
}

void PrintHolds(const StoreStatus& status, const Console& console) {
  for (const auto& hold : status.holds) {
    const auto name = hold.endpoint == "*" ? hold.source : hold.source + "/" + hold.endpoint;
    fmt::print(console.out, "{}  {} since {} by {}{}: {}\n", hold.is_fuse ? "fuse   " : "paused ",
               name, When(hold.since), hold.by,
               hold.until ? fmt::format(" until {}", When(hold.until)) : "",
               Short(hold.reason, 200));
    fmt::print(console.out, "         {}\n",
               hold.is_fuse ? fmt::format("patra fuse reset {} --reason WHY", name)
                            : fmt::format("patra source resume {}", name));
  }
}

void PrintShared(const StoreStatus& status, const Console& console) {
  for (const auto& row : status.shared_credentials) {
    if (row.store.empty()) {
      fmt::print(console.out,
                 "shared   {}: {} is the same credential, last used {} ago. Each source is counted "
                 "by itself: their requests add up\n         make them endpoints of one source, or "
                 "give each a part of the limits\n",
                 row.credential, row.other_name, Roughly(status.now - row.used_at));
      continue;
    }
    fmt::print(
        console.out,
        "shared   {}: {} sends with it, too, last {} ago. {}: their requests add up\n         "
        "use one store for both, or give each a part of the limits\n",
        row.credential, row.store, Roughly(status.now - row.used_at),
        status.gate_is_shared ? "Unless it uses the same Redis"
                              : "Each store has a gate of its own");
  }
  if (!status.sharing_unknown.empty())
    fmt::print(console.out, "shared   {}\n", Short(status.sharing_unknown, 300));
}

// What has not happened yet cannot be complete.
void PrintAheadOfTime(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    if (!endpoint.watermark || *endpoint.watermark <= status.now) continue;
    const auto name = NameOf(endpoint);
    fmt::print(console.out,
               "clock    {}: the watermark lies {} after now: a clock was ahead, and what it took "
               "for complete is not\n         patra cursor set {} TIME --reason WHY, with the last "
               "TIME before that\n",
               name, Roughly(*endpoint.watermark - status.now), name);
  }
}

// The watermark stands for all that lies before it, but for what no harvest was ever asked for.
void PrintSkipped(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    if (!endpoint.skipped) continue;
    const auto name = NameOf(endpoint);
    fmt::print(
        console.out,
        "unproven {}: harvests go on after {} .. {}, which is not proven: the definition begins "
        "earlier, a cursor was set beyond it, or parts of it announced less than all of it\n       "
        "  patra backfill {} --gaps\n",
        name, FormatRfc3339(endpoint.skipped->from), FormatRfc3339(endpoint.skipped->to), name);
  }
}

// What a person should look at, each with the command that shows it.
void PrintBroken(const StoreStatus& status, const Console& console) {
  for (const auto& endpoint : status.endpoints) {
    const auto name = NameOf(endpoint);
    if (endpoint.slices_failed + endpoint.slices_partial > 0) {
      fmt::print(console.out,
                 "broken   {}: {} slices failed, {} partial\n         patra verify {}\n", name,
                 Counted(endpoint.slices_failed), Counted(endpoint.slices_partial), name);
    }
    if (endpoint.last_run && endpoint.last_run->error) {
      fmt::print(console.out, "         last run {}: {}\n", endpoint.last_run->id,
                 Short(*endpoint.last_run->error, 200));
    }
    if (endpoint.quarantine_open > 0) {
      fmt::print(console.out, "bad      {}: {} records in quarantine\n", name,
                 Counted(endpoint.quarantine_open));
    }
  }
}

// Evidence that is gone is told, however it came to that.
void PrintGone(const StoreStatus& status, const Console& console) {
  for (const auto& gone : status.gone) {
    if (gone.what != contract::kDroppedPages) continue;
    fmt::print(
        console.out,
        "vault    {} ({}) were deleted, because there was no room for more; the last at {}\n",
        Several(gone.rows, "raw page"), BytesCell(gone.bytes), When(gone.last_at));
  }
}

Result<int> Status(bool as_json, contract::StatusQueries& queries, const Clock& clock,
                   const Console& console) {
  const auto status = PATRA_TRY(queries.Status(clock.Now()));
  if (as_json) {
    PrintJsonLine(console, ToValue(status));
    return kComplete;
  }
  if (status.endpoints.empty()) {
    fmt::print(console.out, "nothing was harvested yet; `patra source list` shows what could be\n");
  } else {
    PrintEndpoints(status, console);
  }
  if (status.executors > 0) {
    fmt::print(console.out, "{} executor{} at work\n", status.executors,
               status.executors == 1 ? "" : "s");
  }
  // Of a file it goes without saying.
  if (status.gate_is_shared || status.store_is_shared)
    fmt::print(console.out, "gate     counts {}\n", status.gate_counts);
  PrintAlerts(status, console);
  PrintWaiting(status, console);
  PrintFiltered(status, console);
  PrintFreshness(status, console);
  PrintHolds(status, console);
  PrintShared(status, console);
  PrintAheadOfTime(status, console);
  PrintSkipped(status, console);
  PrintBroken(status, console);
  PrintGone(status, console);
  return kComplete;
}

}  // namespace

int RunStatus(bool as_json, contract::StatusQueries& status, const Clock& clock,
              const Console& console) {
  return PrintError(console, Status(as_json, status, clock, console));
}

}  // namespace patra::adapter::cli
