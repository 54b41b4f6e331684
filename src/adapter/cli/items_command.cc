#include "adapter/cli/items_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"
#include "base/moment.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

using contract::ItemFilter;
using contract::ItemRow;

constexpr int kQuarantineShown = 20;

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
  const auto found =
      PATRA_TRY(items.Find(command.filter.source, command.filter.endpoint, command.id));
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no record '{}'", command.id), {},
                "ids are as the provider writes them, case included; see `patra items list`");
  }
  std::string places;
  for (const auto& item : found)
    places += fmt::format("{}{}/{}", places.empty() ? "" : ", ", item.source, item.endpoint);
  return Fail(ErrorCode::kConflict, fmt::format("'{}' is a record of {}", command.id, places), {},
              "say which with --source and --endpoint");
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

// The chain from a record back to what was asked for, as far as the ledger still holds it.
struct Origin {
  std::optional<contract::BatchRow> batch;
  std::optional<contract::RunRow> run;
  std::optional<contract::TaskRow> task;
  std::optional<contract::SliceRow> slice;
  std::optional<contract::PlanRow> plan;
  std::optional<contract::TriggerRow> trigger;
};

template <typename Row>
Result<std::optional<Row>> IfThere(Result<Row> found) {
  if (found) return *std::move(found);
  if (found.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(found.error());
}

Result<Origin> OriginOf(contract::LedgerQueries& ledger, Id batch) {
  Origin origin{.batch = PATRA_TRY(IfThere(ledger.Batch(batch)))};
  if (!origin.batch) return origin;
  origin.run = PATRA_TRY(IfThere(ledger.Run(origin.batch->run)));
  origin.task = PATRA_TRY(IfThere(ledger.Task(origin.batch->task)));
  origin.slice = PATRA_TRY(IfThere(ledger.Slice(origin.batch->slice)));
  origin.plan = PATRA_TRY(IfThere(ledger.Plan(origin.batch->plan)));
  if (origin.plan) origin.trigger = PATRA_TRY(IfThere(ledger.Trigger(origin.plan->trigger)));
  return origin;
}

template <typename Row>
Value ObjectOf(const std::optional<Row>& row) {
  return row ? ToObject(FactsOf(*row)) : Value();
}

void PrintOrigin(const ItemRow& item, const Origin& origin, const Console& console) {
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
    const auto batch = PATRA_TRY(IfThere(ledger.Batch(id)));
    fmt::print(console.out, "  {}  patra batch show {}\n",
               When(batch ? batch->committed_at : std::nullopt), id);
  }
  return {};
}

Result<int> Why(const ItemsCommand& command, contract::ReadSide& read, const Console& console) {
  const auto item = PATRA_TRY(FindOne(read.items(), command));
  const auto origin = PATRA_TRY(OriginOf(read.ledger(), item.batch));
  const auto bad =
      PATRA_TRY(read.items().Quarantined(item.source, item.endpoint, item.id, kQuarantineShown));
  const auto first = PATRA_TRY(read.items().FirstBatch(item));
  const auto pages = PATRA_TRY(read.items().PagesWith(item, command.pages));
  if (command.as_json) {
    Value::Array quarantined, naming;
    for (const auto& row : bad) quarantined.push_back(ToObject(FactsOf(row)));
    for (const auto batch : pages) naming.push_back(contract::IdFact(batch));
    PrintRecordLine(console, Value::Object{{"item", ToObject(FactsOf(item))},
                                           {"batch", ObjectOf(origin.batch)},
                                           {"run", ObjectOf(origin.run)},
                                           {"task", ObjectOf(origin.task)},
                                           {"slice", ObjectOf(origin.slice)},
                                           {"plan", ObjectOf(origin.plan)},
                                           {"trigger", ObjectOf(origin.trigger)},
                                           {"firstBatch", contract::IdFact(first.value_or(0))},
                                           {"pages", std::move(naming)},
                                           {"quarantined", std::move(quarantined)}});
    return kComplete;
  }
  PrintOrigin(item, origin, console);
  fmt::print(console.out, "\nfirst seen {}{}\n", When(item.first_seen_at),
             first ? fmt::format(" by batch {}", *first) : "");
  PATRA_TRY(PrintPages(read.ledger(), pages, command.pages, console));
  for (const auto& row : bad) {
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

}  // namespace patra::adapter::cli
