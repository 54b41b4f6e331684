#include "adapter/cli/ledger_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/batch_page.h"
#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "contract/gather_timeline.h"

namespace patra::adapter::cli {
namespace {

using contract::LedgerQueries;

std::string WindowCell(const std::optional<contract::Stretch>& window) {
  return window ? fmt::format("{} .. {}", When(window->from), When(window->to)) : "-";
}

std::string Took(const std::optional<Instant>& from, const std::optional<Instant>& to) {
  return from && to ? Roughly(*to - *from) : "-";
}

std::string Text(Id id) { return id == 0 ? "-" : fmt::to_string(id); }

// What a task waits for, and until when.
std::string WaitCell(const contract::TaskRow& task) {
  if (task.parked) {
    return fmt::format("{} until {}", Short(task.wait_reason.value_or("scheduled"), 30),
                       When(task.scheduled_at));
  }
  if (task.lease_owner) return fmt::format("leased until {}", When(task.leased_until));
  return "-";
}

// Nothing where the run never came to its end.
std::string RequestsCell(const std::string& stats) {
  const auto facts = contract::JsonFact(stats);
  const auto* requests = facts.Find("reqCount");
  const auto* number = requests == nullptr ? nullptr : requests->AsInteger();
  return number == nullptr ? "-" : Thousands(*number);
}

// The columns of each list; all of them name source and endpoint in one.
Table TableOf(const std::vector<contract::PlanRow>& plans) {
  Table table({"plan", "source", "operation", "status", "window", "made"});
  for (const auto& row : plans) {
    table.Add({Text(row.id), row.scope.Name(), row.scope.operation, row.status,
               WindowCell(row.window), When(row.created_at)});
  }
  return table;
}

Table TableOf(const std::vector<contract::SliceRow>& slices) {
  Table table({"slice", "plan", "no", "source", "operation", "status", "window", "announced",
               "received", "quarantined", "gap"});
  for (const auto& row : slices) {
    table.Add({Text(row.id), Text(row.plan), fmt::to_string(row.number), row.scope.Name(),
               row.scope.operation, row.status, WindowCell(row.window),
               row.sums.announced ? Thousands(*row.sums.announced) : "-",
               Thousands(row.sums.received), Thousands(row.sums.quarantined),
               Short(row.gap.value_or(""), 50)});
  }
  return table;
}

Table TableOf(const std::vector<contract::TaskRow>& tasks) {
  Table table({"task", "plan", "slice", "source", "operation", "status", "waits", "retries", "code",
               "error"});
  for (const auto& row : tasks) {
    table.Add({Text(row.id), Text(row.plan), Text(row.slice), row.scope.Name(), row.scope.operation,
               row.status, WaitCell(row), fmt::to_string(row.retry_count),
               row.last_error_code.value_or("-"), Short(row.last_error.value_or(""), 50)});
  }
  return table;
}

Table TableOf(const std::vector<contract::RunRow>& runs) {
  Table table({"run", "task", "attempt", "source", "operation", "status", "started", "took",
               "requests", "error"});
  for (const auto& row : runs) {
    table.Add({Text(row.id), Text(row.task), fmt::to_string(row.attempt), row.scope.Name(),
               row.scope.operation, row.status, When(row.started_at),
               Took(row.started_at, row.finished_at), RequestsCell(row.stats),
               Short(row.error.value_or(""), 50)});
  }
  return table;
}

Table TableOf(const std::vector<contract::BatchRow>& batches) {
  Table table(
      {"batch", "run", "no", "source", "operation", "status", "records", "committed", "error"});
  for (const auto& row : batches) {
    table.Add({Text(row.id), Text(row.run), fmt::to_string(row.number), row.scope.Name(),
               row.scope.operation, row.status, Thousands(row.records), When(row.committed_at),
               Short(row.error.value_or(""), 50)});
  }
  return table;
}

Table TableOf(const std::vector<contract::CursorRow>& cursors) {
  Table table({"cursor", "source", "operation", "key", "value", "observed", "moved"});
  for (const auto& row : cursors) {
    table.Add({Text(row.id), row.scope.Name(), row.scope.operation, row.key, row.value,
               row.observed_max.value_or("-"), When(row.updated_at)});
  }
  return table;
}

template <typename Row>
Result<int> PrintList(const Result<std::vector<Row>>& found, const LedgerCommand& command,
                      const Console& console) {
  if (!found) return std::unexpected(found.error());
  if (command.as_json) {
    for (const auto& row : *found) PrintJsonLine(console, ToObject(FactsOf(row)));
    return kComplete;
  }
  const auto name = Name(command.kind);
  if (found->empty()) {
    fmt::print(console.out, "there is no such {}\n", name);
    return kComplete;
  }
  fmt::print(console.out, "{}", TableOf(*found).Print(console));
  if (!console.quiet) {
    const bool is_cut = found->size() == static_cast<std::size_t>(command.filter.rows_max);
    fmt::print(console.err, "{}`patra {} show ID` tells more\n",
               is_cut ? fmt::format("the newest {}; --limit shows more; ", found->size()) : "",
               name);
  }
  return kComplete;
}

Result<int> List(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  switch (command.kind) {
    case LedgerKind::kPlan:
      return PrintList(ledger.Plans(command.filter), command, console);
    case LedgerKind::kSlice:
      return PrintList(ledger.Slices(command.filter), command, console);
    case LedgerKind::kTask:
      return PrintList(ledger.Tasks(command.filter), command, console);
    case LedgerKind::kRun:
      return PrintList(ledger.Runs(command.filter), command, console);
    case LedgerKind::kBatch:
      return PrintList(ledger.Batches(command.filter), command, console);
    case LedgerKind::kCursor:
      break;
  }
  return PrintList(ledger.Cursors(command.filter), command, console);
}

// One row with what hangs on it, and what to type next.
struct Shown {
  contract::Facts facts;
  std::vector<std::string> next;
};

Value IdsOf(const auto& rows) {
  Value::Array ids;
  for (const auto& row : rows) ids.push_back(contract::IdFact(row.id));
  return ids;
}

constexpr int kChildrenShown = 20;

Result<Shown> ShowPlan(LedgerQueries& ledger, Id id) {
  const auto plan = PATRA_TRY(ledger.Plan(id));
  Shown shown{.facts = FactsOf(plan)};
  Value::Object slices;
  bool has_failed = false;
  for (const auto& [status, count] : PATRA_TRY(ledger.SliceCounts(id))) {
    slices[status] = count;
    has_failed = has_failed || status == "FAILED" || status == "PARTIAL";
  }
  shown.facts.push_back({"slices", std::move(slices)});
  if (has_failed) {
    shown.next.push_back(fmt::format("patra task list --plan {} --status FAILED", id));
    shown.next.push_back(fmt::format("patra task list --plan {} --status PARTIAL", id));
  }
  shown.next.push_back(fmt::format("patra slice list --plan {}", id));
  shown.next.push_back(fmt::format("patra plan timeline {}", id));
  return shown;
}

Result<Shown> ShowSlice(LedgerQueries& ledger, Id id) {
  const auto slice = PATRA_TRY(ledger.Slice(id));
  return Shown{.facts = FactsOf(slice),
               .next = {fmt::format("patra slice timeline {}", id),
                        fmt::format("patra task show {}", Text(slice.task)),
                        fmt::format("patra plan show {}", slice.plan)}};
}

Result<Shown> ShowTask(LedgerQueries& ledger, Id id) {
  const auto task = PATRA_TRY(ledger.Task(id));
  const auto runs = PATRA_TRY(ledger.Runs({.task = id, .rows_max = kChildrenShown}));
  Shown shown{.facts = FactsOf(task)};
  shown.facts.push_back({"runs", IdsOf(runs)});
  if (task.status == "FAILED" || task.status == "PARTIAL")
    shown.next.push_back(fmt::format("patra task requeue {} --reason WHY", id));
  shown.next.push_back(fmt::format("patra task timeline {}", id));
  if (!runs.empty()) shown.next.push_back(fmt::format("patra run show {}", runs.front().id));
  shown.next.push_back(fmt::format("patra slice show {}", task.slice));
  return shown;
}

Result<Shown> ShowRun(LedgerQueries& ledger, Id id) {
  const auto run = PATRA_TRY(ledger.Run(id));
  return Shown{.facts = FactsOf(run),
               .next = {fmt::format("patra batch list --run {}", id),
                        fmt::format("patra run timeline {}", id),
                        fmt::format("patra task show {}", run.task)}};
}

Result<Shown> ShowCursor(LedgerQueries& ledger, Id id) {
  const auto cursor = PATRA_TRY(ledger.Cursor(id));
  const auto decisions = PATRA_TRY(ledger.Decisions("CURSOR", cursor.Name(), kChildrenShown));
  Shown shown{.facts = FactsOf(cursor)};
  Value::Array decided;
  for (const auto& decision : decisions) decided.push_back(ToObject(FactsOf(decision)));
  shown.facts.push_back({"decisions", std::move(decided)});
  Value::Array steps;
  for (const auto& step : PATRA_TRY(ledger.EventsOf(cursor, contract::kAlways, kChildrenShown)))
    steps.push_back(ToObject(FactsOf(step)));
  shown.facts.push_back({"steps", std::move(steps)});
  shown.next.push_back(fmt::format("patra cursor timeline {}", id));
  shown.next.push_back(fmt::format("patra verify {}", cursor.scope.Name()));
  if (cursor.plan != 0) shown.next.push_back(fmt::format("patra plan show {}", cursor.plan));
  return shown;
}

Result<Shown> ShowOne(LedgerQueries& ledger, LedgerKind kind, Id id) {
  switch (kind) {
    case LedgerKind::kPlan:
      return ShowPlan(ledger, id);
    case LedgerKind::kSlice:
      return ShowSlice(ledger, id);
    case LedgerKind::kTask:
      return ShowTask(ledger, id);
    case LedgerKind::kRun:
      return ShowRun(ledger, id);
    case LedgerKind::kBatch:
    case LedgerKind::kCursor:
      break;
  }
  return ShowCursor(ledger, id);
}

Result<int> ShowOrigins(const LedgerCommand& command, LedgerQueries& ledger, Id plan,
                        const Console& console) {
  const auto origins = PATRA_TRY(ledger.OriginsOf(plan));
  if (command.as_json) {
    for (const auto& row : origins) PrintJsonLine(console, ToObject(FactsOf(row)));
    return kComplete;
  }
  if (origins.empty()) {
    fmt::print(console.out, "plan {} was made before origins were kept\n", plan);
    return kComplete;
  }
  Table table({"value", "is", "from", "where"});
  for (const auto& row : origins) table.Add({row.path, row.value, row.level, row.place});
  fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

void PrintNext(const std::vector<std::string>& steps, const Console& console) {
  if (console.quiet) return;
  fmt::print(console.err, "\n");
  for (const auto& next : steps) fmt::print(console.err, "  {}\n", next);
}

std::unexpected<Error> NoBatch(Id run, Id batch) {
  return Fail(ErrorCode::kNotFound, fmt::format("run {} has no batch {}", run, batch), {},
              fmt::format("`patra batch list --run {}` shows those it has", run));
}

// The batch that a person means by RUN/BATCH, with the batch's id or its number in the run, or by the batch's id alone.
Result<Id> FindBatch(LedgerQueries& ledger, std::string_view text) {
  constexpr Id kNumbersMax = 10'000'000;  // no run has as many batches, and ids are larger
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return ParseId(text);
  const auto run = PATRA_TRY(ParseId(text.substr(0, slash)));
  const auto batch = PATRA_TRY(ParseId(text.substr(slash + 1)));
  if (batch > kNumbersMax) {
    if (PATRA_TRY(ledger.Batch(batch)).run == run) return batch;
    return NoBatch(run, batch);
  }
  const auto found =
      PATRA_TRY(ledger.Batches({.run = run,
                                .rows_max = 1,
                                .after = contract::LedgerPlace{.run = run, .number = batch + 1}}));
  if (found.empty() || found.front().number != batch) return NoBatch(run, batch);
  return found.front().id;
}

Result<int> ShowBatch(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  const auto id = PATRA_TRY(FindBatch(ledger, command.id));
  const auto account = PATRA_TRY(contract::AccountOf(ledger, id));
  if (command.as_json) {
    PrintRecordLine(console, ToObject(FactsOf(account)));
    return kComplete;
  }
  PrintBatchPage(account, console);
  const auto& batch = account.batch;
  PrintNext({fmt::format("patra replay {}/{}", batch.run, batch.id),
             fmt::format("patra batch timeline {}", batch.id),
             fmt::format("patra run show {}", batch.run)},
            console);
  return kComplete;
}

Result<int> Show(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  if (command.kind == LedgerKind::kBatch) return ShowBatch(command, ledger, console);
  const auto id = PATRA_TRY(ParseId(command.id));
  if (command.origins) return ShowOrigins(command, ledger, id, console);
  const auto shown = PATRA_TRY(ShowOne(ledger, command.kind, id));
  if (command.as_json) {
    PrintJsonLine(console, ToObject(shown.facts));
    return kComplete;
  }
  fmt::print(console.out, "{}", Lines(shown.facts));
  PrintNext(shown.next, console);
  return kComplete;
}

Result<int> ShowTimeline(const LedgerCommand& command, LedgerQueries& ledger,
                         const Console& console) {
  const auto id = PATRA_TRY(ParseId(command.id));
  const auto timeline =
      PATRA_TRY(contract::GatherTimeline(ledger, command.kind, id, command.filter.rows_max));
  const auto events = timeline.Events();
  if (command.as_json) {
    for (const auto& event : events) PrintJsonLine(console, ToObject(FactsOf(event)));
    return kComplete;
  }
  Table table({"at", "what", "id", "detail"});
  for (const auto& event : events) {
    table.Add(
        {FormatRfc3339Micros(event.at), event.what, Text(event.id), Short(event.detail, 160)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

Result<int> Requeue(const LedgerCommand& command, app::Corrections& corrections,
                    const domain::Actor& actor, const Console& console) {
  const auto id = PATRA_TRY(ParseId(command.id));
  PATRA_TRY(corrections.RequeueTask(id, command.reason, actor));
  if (!console.quiet) {
    fmt::print(console.out, "task {} is queued again; `patra work --drain` runs what is queued\n",
               id);
  }
  return kComplete;
}

Result<int> SetCursor(const LedgerCommand& command, app::Corrections& corrections,
                      const domain::Actor& actor, const Console& console) {
  const auto [before, after] =
      PATRA_TRY(corrections.SetCursor(command.id, command.value, command.reason, actor));
  if (command.as_json) {
    PrintJsonLine(console, ToObject(FactsOf(after)));
  } else if (!console.quiet) {
    fmt::print(console.out, "{} {}: {} → {}\n", after.scope.Name(), after.key, before.value,
               after.value);
    fmt::print(console.err,
               "what lies after it and was proven before is harvested again where it went back; "
               "`patra verify {}` shows what is not proven\n",
               after.scope.Name());
  }
  return kComplete;
}

}  // namespace

int RunLedgerList(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  return PrintError(console, List(command, ledger, console));
}

int RunLedgerShow(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  return PrintError(console, Show(command, ledger, console));
}

int RunLedgerTimeline(const LedgerCommand& command, LedgerQueries& ledger, const Console& console) {
  return PrintError(console, ShowTimeline(command, ledger, console));
}

int RunTaskRequeue(const LedgerCommand& command, app::Corrections& corrections,
                   const domain::Actor& actor, const Console& console) {
  return PrintError(console, Requeue(command, corrections, actor, console));
}

int RunCursorSet(const LedgerCommand& command, app::Corrections& corrections,
                 const domain::Actor& actor, const Console& console) {
  return PrintError(console, SetCursor(command, corrections, actor, console));
}

}  // namespace patra::adapter::cli
