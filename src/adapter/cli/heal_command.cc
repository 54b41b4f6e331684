#include "adapter/cli/heal_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/canonical_json.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::adapter::cli {
namespace {

// What an entry's JSON says under that name.
std::string Member(const std::string& json, std::string_view name) {
  const auto value = ParseJson(json);
  const auto* member = value ? value->Find(name) : nullptr;
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? "" : *text;
}

int PrintEntries(const std::vector<domain::HealEntry>& entries, bool as_json,
                 const Console& console) {
  Table table({"when", "source", "did", "because", "result"});
  for (const auto& entry : entries) {
    const auto& lane = entry.lane;
    if (as_json) {
      fmt::print(console.out, "{}\n", CanonicalJson(ToObject(app::FactsOf(entry))));
      continue;
    }
    table.Add({When(entry.at),
               fmt::format("{}/{} {}", lane.provenance, lane.endpoint, Code(lane.operation)),
               Member(entry.did, "action"), Member(entry.did, "reason"), entry.result});
  }
  if (as_json) return kComplete;
  fmt::print(console.out, "{}", entries.empty() ? "nothing to heal\n" : table.Print(console));
  return kComplete;
}

}  // namespace

int RunSignalAdd(const SignalAddition& addition, app::Signals& signals, const Console& console) {
  const auto is_new = signals.Add(addition.target, addition.signal);
  if (!is_new) return PrintError(console, is_new.error());
  if (!console.quiet) {
    fmt::print(console.out, "{}\n",
               *is_new
                   ? fmt::format("noted; `patra update {} --signals` fetches it", addition.target)
                   : "the same signal is waiting already");
  }
  return kComplete;
}

int RunSignalList(const SignalListCommand& command, app::Signals& signals, const Console& console) {
  const auto listed = signals.List(command.status, command.signals_max);
  if (!listed) return PrintError(console, listed.error());
  Table table({"id", "source", "record", "type", "from", "note"});
  for (const auto& signal : *listed) {
    if (command.as_json) {
      fmt::print(console.out, "{}\n", CanonicalJson(ToObject(app::FactsOf(signal))));
    }
    table.Add({fmt::to_string(signal.id), signal.provenance + "/" + signal.endpoint, signal.item_id,
               signal.type, signal.origin, signal.note});
  }
  if (command.as_json) return kComplete;
  fmt::print(console.out, "{}", listed->empty() ? "no signal\n" : table.Print(console));
  return kComplete;
}

int RunHealLog(const HealCommand& command, app::Healing& healing, const Console& console) {
  const auto entries = healing.Log(command.source, command.since, command.entries_max);
  if (!entries) return PrintError(console, entries.error());
  return PrintEntries(*entries, command.as_json, console);
}

int RunHealRound(const HealCommand& command, app::Operations& engine, const Console& console) {
  const auto entries = engine.Heal();
  if (!entries) return PrintError(console, entries.error());
  return PrintEntries(*entries, command.as_json, console);
}

int RunHealAdjustments(const HealCommand& command, app::Healing& healing, const Console& console) {
  const auto adjustments = healing.Adjustments();
  if (!adjustments) return PrintError(console, adjustments.error());
  Table table({"source", "what", "value", "until", "because"});
  for (const auto& adjustment : *adjustments) {
    const auto until = adjustment.until ? FormatRfc3339(*adjustment.until) : std::string();
    const auto value = app::ValueOf(adjustment);
    if (command.as_json) {
      fmt::print(console.out, "{}\n", CanonicalJson(ToObject(app::FactsOf(adjustment))));
    } else {
      table.Add({adjustment.provenance + "/" + adjustment.endpoint,
                 std::string(CodeOf(adjustment.kind)), value, until.empty() ? "released" : until,
                 adjustment.reason});
    }
  }
  if (command.as_json) return kComplete;
  fmt::print(console.out, "{}",
             adjustments->empty() ? "nothing is adjusted\n" : table.Print(console));
  return kComplete;
}

int RunHealRelease(const AdjustmentRelease& release, app::Healing& healing,
                   const domain::Actor& actor, const Console& console) {
  const auto released = healing.TakeBack(release.adjustment, release.reason, actor);
  if (!released) return PrintError(console, released.error());
  const auto& target = release.adjustment.target;
  fmt::print(console.out, "{}\n",
             *released ? fmt::format("{} goes by its definition again", target)
                       : fmt::format("{} has no such adjustment", target));
  return kComplete;
}

}  // namespace patra::adapter::cli
