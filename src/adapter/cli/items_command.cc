#include "adapter/cli/items_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"
#include "base/moment.h"
#include "base/plain_text.h"
#include "contract/item_origin.h"

namespace patra::adapter::cli {
namespace {

using contract::ItemFilter;
using contract::ItemRow;

// A few fields at a glance.
std::string Glance(const ItemRow& item) { return Short(WithoutSteps(item.fields), 80); }

Result<int> List(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                 const Console& console) {
  const auto filter = PATRA_TRY(FilterOf(command, clock.Now()));
  // By id where ids are looked for, otherwise the latest first.
  const auto items = filter.id_prefix.empty()
                         ? PATRA_TRY(read.items().Newest(filter, command.limit))
                         : PATRA_TRY(read.items().Page(filter, std::nullopt, command.limit)).items;
  if (command.as_json) {
    for (const auto& item : items) PrintRecordLine(console, ToObject(FactsOf(item)));
    return kComplete;
  }
  if (items.empty()) {
    fmt::print(console.out, "there is no such record\n");
    return kComplete;
  }
  Table table({"id", "source", "updated", "deleted", "batch", "fields"});
  for (const auto& item : items) {
    table.Add({item.id, item.source + "/" + item.endpoint, When(item.updated_at),
               When(item.deleted_at), fmt::to_string(item.batch), Glance(item)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet)
    fmt::print(console.err, "`patra items show ID` and `patra items why ID` tell more\n");
  return kComplete;
}

Result<ItemRow> FindOne(contract::ItemQueries& items, const ItemsCommand& command) {
  return contract::FindOne(
      items, command.filter.source, command.filter.endpoint, command.id,
      {.where = "see `patra items list`", .which = "say which with --source and --endpoint"});
}

Result<int> Show(const ItemsCommand& command, contract::ReadSide& read, const Console& console) {
  const auto item = PATRA_TRY(FindOne(read.items(), command));
  auto facts = FactsOf(item);
  if (command.as_json) {
    PrintRecordLine(console, ToObject(facts));
    return kComplete;
  }
  const auto fields = std::move(facts.back().value);
  facts.pop_back();
  fmt::print(console.out, "{}\n{}\n", Lines(facts), WithoutSteps(PrintJson(fields, 2)));
  if (!console.quiet) {
    // What begins with a dash would be taken for an option.
    fmt::print(console.err, "\n  patra items why {}{}\n", item.id.starts_with('-') ? "-- " : "",
               ForShell(item.id));
  }
  return kComplete;
}

void PrintOrigin(const ItemRow& item, const contract::ItemOrigin& origin, const Console& console) {
  const auto line = [&](std::string_view what, Id id, const std::string& text) {
    fmt::print(console.out, "{:<8}  {:<20}  {}\n", what, id, text);
  };
  fmt::print(console.out, "{} of {}/{}, version of {}, fetched {}\n\n", SpelledOnOneLine(item.id),
             item.source, item.endpoint, FormatRfc3339(item.updated_at), When(item.fetched_at));
  if (const auto& batch = origin.batch) {
    line("batch", batch->id,
         fmt::format("number {}, {} records, committed {}{}", batch->number, batch->records,
                     When(batch->committed_at),
                     batch->raw_bytes ? fmt::format(", its page of {} bytes is in the vault",
                                                    Thousands(*batch->raw_bytes))
                                      : ""));
    fmt::print(console.out, "{:<32}request {}\n{:<32}answer {}\n", "", batch->request_digest, "",
               batch->response_digest);
  } else {
    line("batch", item.batch, "is not in the ledger any more");
  }
  if (const auto& run = origin.run)
    line("run", run->id, fmt::format("attempt {}, {}", run->attempt, run->status));
  if (const auto& task = origin.task) line("task", task->id, task->status);
  if (const auto& slice = origin.slice) {
    line("slice", slice->id,
         fmt::format("number {}, {} {}", slice->number, slice->status,
                     slice->window ? slice->window->Describe() : ""));
  }
  if (const auto& plan = origin.plan) {
    line("plan", plan->id,
         fmt::format("{} {}", plan->scope.operation, plan->window ? plan->window->Describe() : ""));
  }
  if (const auto& trigger = origin.trigger)
    line("trigger", trigger->id, fmt::format("{} at {}", trigger->type, When(trigger->fired_at)));
}

// Where versions of the record are, with the command that shows each.
Result<void> PrintPages(contract::LedgerQueries& ledger, const std::vector<Id>& pages, int searched,
                        const Console& console) {
  if (searched == 0) return {};
  fmt::print(console.out, "{} of the newest {} pages name it\n", pages.size(), Thousands(searched));
  for (const auto id : pages) {
    const auto batch = PATRA_TRY(contract::IfThere(ledger.Batch(id)));
    fmt::print(console.out, "  {}  patra batch show {}\n",
               When(batch ? batch->committed_at : std::nullopt), id);
  }
  return {};
}

Result<int> Why(const ItemsCommand& command, contract::ReadSide& read, const Console& console) {
  const auto item = PATRA_TRY(FindOne(read.items(), command));
  const auto why = PATRA_TRY(contract::WhyOf(read, item, command.pages));
  if (command.as_json) {
    PrintRecordLine(console, ToObject(FactsOf(why)));
    return kComplete;
  }
  PrintOrigin(item, why.origin, console);
  fmt::print(console.out, "\nfirst seen {}{}\n", When(item.first_seen_at),
             why.first_batch ? fmt::format(" by batch {}", *why.first_batch) : "");
  PATRA_TRY(PrintPages(read.ledger(), why.pages, command.pages, console));
  for (const auto& row : why.quarantined) {
    fmt::print(console.out, "\nquarantine {} ({}), {}: {} {}: {}\n", row.id, row.status,
               When(row.created_at), row.path, row.rule, Short(row.reason, 200));
  }
  return kComplete;
}

}  // namespace

Result<ItemFilter> FilterOf(const ItemsCommand& command, Instant now) {
  auto filter = command.filter;
  if (command.updated_from)
    filter.updated_from = PATRA_TRY(ParseMoment(*command.updated_from, now));
  if (command.updated_to) filter.updated_to = PATRA_TRY(ParseMoment(*command.updated_to, now));
  return filter;
}

int RunItemsList(const ItemsCommand& command, contract::ReadSide& read, const Clock& clock,
                 const Console& console) {
  return PrintError(console, List(command, read, clock, console));
}

int RunItemsShow(const ItemsCommand& command, contract::ReadSide& read, const Console& console) {
  return PrintError(console, Show(command, read, console));
}

int RunItemsWhy(const ItemsCommand& command, contract::ReadSide& read, const Console& console) {
  return PrintError(console, Why(command, read, console));
}

int RunItemsChanges(const ChangesCommand& command, app::Changes& changes, const Console& console) {
  const auto page = changes.After(command.after, command.filter, command.limit);
  if (!page) return PrintError(console, page.error());
  if (command.as_json) {
    for (const auto& change : page->changes) PrintRecordLine(console, ToObject(FactsOf(change)));
    if (page->changes.empty())
      PrintRecordLine(console, Value::Object{{"place", page->place.Text()}});
    return kComplete;
  }
  if (page->changes.empty()) {
    fmt::print(console.out, "nothing has changed behind {}\n", page->place.Text());
    return kComplete;
  }
  Table table({"place", "change", "source", "id", "batch", "committed"});
  for (const auto& row : page->changes) {
    table.Add(
        {row.place.Text(), std::string(Name(row.change.kind)), row.source + "/" + row.endpoint,
         row.change.merged_into ? fmt::format("{} → {}", row.change.id, *row.change.merged_into)
                                : row.change.id,
         fmt::to_string(row.batch), When(row.committed_at)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet) {
    fmt::print(console.err, "{} behind --after {}\n",
               page->has_more ? "there are more" : "what comes next will be", page->place.Text());
  }
  return kComplete;
}

}  // namespace patra::adapter::cli
