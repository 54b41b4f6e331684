#include "adapter/cli/db_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/table.h"
#include "base/value.h"

namespace patra::adapter::cli {

namespace {

int PrintOutcome(const Result<void>& done, const std::string& success, const Console& console) {
  if (!done) return PrintError(console, done.error());
  fmt::print(console.out, "{}\n", success);
  return kComplete;
}

// As much of a hash as a person compares.
constexpr std::size_t kHashDigits = 12;

Value Describe(const contract::PromotedTable& table) {
  Value::Array differences;
  for (const auto& difference : table.differences) differences.emplace_back(difference);
  return Value::Object{{"table", table.name},
                       {"rows", table.rows},
                       {"hash", table.hash},
                       {"found", table.found},
                       {"foundHash", table.found_hash},
                       {"same", table.is_same()},
                       {"differing", table.differing},
                       {"differences", std::move(differences)}};
}

Value Describe(const DatabaseReport& report) {
  Value::Array answers;
  for (const auto& answer : report.answers) {
    answers.emplace_back(
        Value::Object{{"question", answer.question},
                      {"answer", Value::Array(answer.lines.begin(), answer.lines.end())},
                      {"wrong", answer.is_wrong}});
  }
  return Value::Object{{"database", report.database},
                       {"schema", report.schema_after},
                       {"problems", Value::Array(report.problems.begin(), report.problems.end())},
                       {"answers", std::move(answers)}};
}

void PrintTables(const contract::StorePromotion& promotion, const Console& console) {
  Table table({"table", "rows", "hash", "ok"});
  int empty = 0;
  for (const auto& of : promotion.tables) {
    if (of.rows == 0 && of.is_same()) {
      ++empty;
      continue;
    }
    table.Add({of.name, Thousands(of.rows), of.hash.substr(0, kHashDigits),
               of.is_same() ? "ok" : "DIFFERS"});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (empty > 0) fmt::print(console.out, "{} more tables have no rows in either\n", empty);
}

// Rows of all tables together: most tables are done before anybody could read their names.
class PromotionProgress {
 public:
  PromotionProgress(const Console& console, const Clock& clock) : bar_(console, clock) {}

  void Show(std::string_view doing, const std::string& table, std::int64_t rows) {
    if (doing != doing_) {
      doing_ = doing;
      before_ = 0;
    } else if (table != table_) {
      before_ += rows_;
    }
    table_ = table;
    rows_ = rows;
    bar_.Show(doing_, before_ + rows_, 0, table_);
  }
  void Finish() { bar_.Finish(); }

 private:
  ProgressBar bar_;
  std::string doing_;
  std::string table_;
  std::int64_t before_ = 0;  // of tables that are done
  std::int64_t rows_ = 0;
};

void PrintDifferences(const contract::StorePromotion& promotion, const Console& console) {
  for (const auto& table : promotion.tables) {
    for (const auto& difference : table.differences)
      fmt::print(console.err, "{}: {}\n", table.name, difference);
    const auto more = table.differing - static_cast<std::int64_t>(table.differences.size());
    if (more > 0) fmt::print(console.err, "{}: and {} more\n", table.name, Thousands(more));
  }
}

// What is to be done about what came of it; the exit code.
int Conclude(const contract::StorePromotion& promotion, const Console& console) {
  if (!promotion.is_done()) {
    PrintDifferences(promotion, console);
    Report(console,
           {ErrorCode::kCorruption,
            fmt::format("{} is not the same as {}, and not finished", promotion.target,
                        promotion.source),
            {},
            "somebody else changed one of them: put that right and run the same command again, or "
            "give it up with --abandon"});
    return kFailed;
  }
  for (const auto& name : promotion.not_ours)
    fmt::print(console.err, "left behind: {}, which patra did not make\n", name);
  return kComplete;
}

}  // namespace

int RunDbPromote(const PromotionRequest& request, bool as_json, Services& services,
                 const Clock& clock, const Console& console) {
  PromotionProgress progress(console, clock);
  const auto promotion = services.PromoteDatabase(
      request, [&](std::string_view doing, const std::string& table, std::int64_t rows) {
        progress.Show(doing, table, rows);
      });
  progress.Finish();
  if (!promotion) return PrintError(console, promotion.error());
  if (as_json) {
    for (const auto& table : promotion->tables) PrintJsonLine(console, Describe(table));
  } else if (!promotion->was_done_before) {
    PrintTables(*promotion, console);
  }
  const int code = Conclude(*promotion, console);
  if (code == kComplete && !as_json) {
    fmt::print(console.out, "{} {} moved to {}; use that from now on\n", promotion->source,
               promotion->was_done_before ? "was already" : "is", promotion->target);
  }
  return code;
}

int RunDbPromoteAbandon(const std::string& database, Services& services, const Console& console) {
  const auto target = services.GiveUpPromotion(database);
  if (!target) return PrintError(console, target.error());
  fmt::print(console.out, "{} takes changes again; {} is not whole and can be dropped\n", database,
             *target);
  return kComplete;
}

int RunDbBackup(const std::string& database, const std::string& target, Services& services,
                const Console& console) {
  return PrintOutcome(services.BackUpDatabase(database, target),
                      fmt::format("{} holds a copy of {}", target, database), console);
}

int RunDbRestore(const std::string& backup, const std::string& database, Services& services,
                 const Console& console) {
  return PrintOutcome(services.RestoreDatabase(backup, database),
                      fmt::format("{} is restored from {}", database, backup), console);
}

int RunDbMigrate(const std::string& database, Services& services, const Console& console) {
  const auto report = services.MigrateDatabase(database);
  if (!report) return PrintError(console, report.error());
  if (report->schema_before == report->schema_after) {
    fmt::print(console.out, "{} has schema {} already\n", report->database, report->schema_after);
  } else {
    fmt::print(console.out, "{}: schema {} -> {}\n", report->database, report->schema_before,
               report->schema_after);
  }
  return kComplete;
}

int RunDbCheck(const std::string& database, bool as_json, Services& services,
               const Console& console) {
  const auto report = services.CheckDatabase(database);
  if (!report) return PrintError(console, report.error());
  const bool is_wrong =
      !report->problems.empty() || std::ranges::any_of(report->answers, &DatabaseAnswer::is_wrong);
  if (as_json) {
    PrintJsonLine(console, Describe(*report));
    return is_wrong ? kFailed : kComplete;
  }
  for (const auto& problem : report->problems)
    fmt::print(console.out, "{}: {}\n", report->database, problem);
  if (!is_wrong)
    fmt::print(console.out, "{}: schema {}, no problems\n", report->database, report->schema_after);
  if (console.quiet && !is_wrong) return kComplete;
  for (const auto& [question, lines, answer_is_wrong] : report->answers) {
    fmt::print(console.out, "\n{}?{}\n", question, answer_is_wrong ? "  WRONG" : "");
    for (const auto& line : lines) fmt::print(console.out, "  {}\n", Short(line, 400));
  }
  return is_wrong ? kFailed : kComplete;
}

}  // namespace patra::adapter::cli
