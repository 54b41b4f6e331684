#include "infra/mysql/migration.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "infra/sql/item_views.h"

namespace patra::infra::mysql {
namespace {

// What the store itself needs to keep order; SQLite has it in other ways. Names are compared byte by byte, as everywhere.
const std::string kCreateBook =
    "CREATE TABLE IF NOT EXISTS patra_schema ("
    " number BIGINT NOT NULL PRIMARY KEY, name VARBINARY(128) NOT NULL, checksum VARBINARY(64) NOT "
    "NULL, reader_min BIGINT NOT NULL, applied_at BIGINT NOT NULL) ENGINE = InnoDB; "
    "CREATE TABLE IF NOT EXISTS patra_schema_step ("
    " number BIGINT NOT NULL PRIMARY KEY, done BIGINT NOT NULL) ENGINE = InnoDB; "
    "CREATE TABLE IF NOT EXISTS patra_lock (name VARBINARY(255) NOT NULL PRIMARY KEY) ENGINE = "
    "InnoDB; "
    "INSERT IGNORE INTO patra_lock (name) VALUES ('store'), ('queue'), ('outbox'); "
    "CREATE TABLE IF NOT EXISTS patra_commit (session_key VARBINARY(32) NOT NULL PRIMARY KEY, mark "
    "BIGINT NOT NULL, made_at BIGINT NOT NULL) ENGINE = InnoDB";

constexpr std::string_view kStepsDone =
    "SELECT coalesce(max(done), 0) FROM patra_schema_step WHERE number = :number";
constexpr std::string_view kNoteStep = R"sql(
    INSERT INTO patra_schema_step (number, done) VALUES (:number, :done)
    ON CONFLICT (number) DO UPDATE SET done = excluded.done)sql";
// No change has this number: while it is noted, views of records are to be made anew.
constexpr int kViewsOfRecords = 0;

constexpr std::string_view kForgetSteps = "DELETE FROM patra_schema_step WHERE number = :number";

constexpr std::string_view kServersTime = "SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)";

// A change waits until nobody reads the table, and everybody who comes later waits behind it. So it gives way soon, lets the
// others through and tries again, for some ten minutes.
constexpr std::string_view kGiveWaySoon = "SET SESSION lock_wait_timeout = 4";
constexpr std::string_view kLetOthersThrough = "DO SLEEP(2)";
constexpr int kChangeTriesMax = 100;
constexpr unsigned kOthersReadIt = 1205;

// Large tables are written anew by some changes.
constexpr Waits kPatient{.answer = std::chrono::hours(24)};

// What the server says of a statement that has been run before: the table, column, index or row is there, or the table, view,
// column or index no longer is, or not under its old name.
bool IsDoneAlready(unsigned number) {
  constexpr std::array<unsigned, 8> kThere{1050, 1051, 1054, 1060, 1061, 1062, 1091, 4092};
  return std::ranges::find(kThere, number) != kThere.end();
}

// One process at a time changes the schema. (A cluster has no such lock; there, somebody who migrates alone is told about in
// docs/scaling.md.)
class MigrationLock {
 public:
  explicit MigrationLock(Connection& connection) : connection_(connection) {}
  ~MigrationLock() {
    if (is_held_) (void)connection_.Execute(fmt::format("SELECT RELEASE_LOCK({})", kName));
  }
  MigrationLock(const MigrationLock&) = delete;
  MigrationLock& operator=(const MigrationLock&) = delete;

  Result<void> Take() {
    const auto said = connection_.ExecuteForTexts(fmt::format("SELECT GET_LOCK({}, 60)", kName));
    if (!said && connection_.number() == kNotInAClusterYet) return {};
    if (!said) return std::unexpected(said.error());
    is_held_ = !said->empty() && said->front() == "1";
    if (is_held_) return {};
    return Fail(ErrorCode::kUnavailable, "another process changes the schema", {},
                "try again when it is done");
  }

 private:
  static constexpr std::string_view kName = "CONCAT(DATABASE(), '/patra_schema')";
  static constexpr unsigned kNotInAClusterYet = 1235;

  Connection& connection_;
  bool is_held_ = false;
};

Result<void> ChangeTable(Connection& connection, const std::string& statement) {
  for (int tries = 1;; ++tries) {
    auto ran = connection.Execute(statement);
    if (ran || connection.number() != kOthersReadIt || tries == kChangeTriesMax) return ran;
    connection.ForgetFate();
    PATRA_TRY(connection.Execute(std::string(kLetOthersThrough)));
  }
}

Result<void> NoteStep(Connection& connection, int number, std::size_t done) {
  PATRA_TRY(
      connection.Run(kNoteStep, {{"number", number}, {"done", static_cast<std::int64_t>(done)}}));
  return {};
}

Result<void> Apply(Connection& connection, const sql::Migration& migration, Instant now) {
  const auto statements = StatementsOf(migration.sql);
  const auto done = static_cast<std::size_t>(
      PATRA_TRY(connection.Integer(kStepsDone, {{"number", migration.number}})));
  for (auto i = done; i < statements.size(); ++i) {
    const auto ran = ChangeTable(connection, statements[i]);
    // A crash may have come between the statement and its note.
    if (!ran && !(i == done && IsDoneAlready(connection.number()))) return ran;
    PATRA_TRY(NoteStep(connection, migration.number, i + 1));
  }
  PATRA_TRY(sql::NoteApplied(connection, migration, now));
  PATRA_TRY(connection.Run(kForgetSteps, {{"number", migration.number}}));
  return {};
}

}  // namespace

std::vector<std::string> StatementsOf(std::string_view sql) {
  std::vector<std::string> statements;
  std::string statement;
  while (!sql.empty()) {
    const auto end = std::min(sql.find('\n'), sql.size());
    auto line = sql.substr(0, end);
    sql.remove_prefix(std::min(end + 1, sql.size()));
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line.substr(first).starts_with("--")) continue;
    const bool ends = line.ends_with(';');
    if (ends) line.remove_suffix(1);
    statement.append(line).append("\n");
    if (ends) statements.push_back(std::exchange(statement, {}));
  }
  if (!statement.empty()) statements.push_back(std::move(statement));
  return statements;
}

Result<bool> IsBehind(Connection& connection, const std::vector<sql::Migration>& migrations) {
  const int applied = PATRA_TRY(sql::AppliedSoFar(connection, migrations));
  if (migrations.empty() || applied > migrations.back().number) return false;
  if (applied < migrations.back().number) return true;
  return PATRA_TRY(connection.Integer(kStepsDone, {{"number", kViewsOfRecords}})) > 0;
}

Result<app::SchemaChange> Migrate(const Address& address,
                                  const std::vector<sql::Migration>& migrations, Instant now) {
  const auto own = PATRA_TRY(Connection::Open(address, kPatient));
  auto& connection = *own;
  app::SchemaChange report;
  report.before = PATRA_TRY(sql::AppliedSoFar(connection, migrations));
  report.after = report.before;
  if (!PATRA_TRY(IsBehind(connection, migrations))) return report;

  MigrationLock lock(connection);
  PATRA_TRY(lock.Take());
  PATRA_TRY(connection.Execute(std::string(kGiveWaySoon)));
  // Read again: another process may have been faster.
  const auto before = PATRA_TRY(sql::AppliedSoFar(connection, migrations));
  PATRA_TRY(connection.Execute(kCreateBook));
  if (before > 0) {
    const Instant by_server{Duration(PATRA_TRY(connection.Integer(kServersTime)))};
    PATRA_TRY(sql::RefuseWhileAtWork(connection, migrations, before, by_server));
    // Nothing of this is undone where it is interrupted: whoever comes next makes what is noted here.
    PATRA_TRY(NoteStep(connection, kViewsOfRecords, 1));
    PATRA_TRY(sql::ItemViews::DropAll(connection));
  }
  for (const auto& migration : migrations) {
    if (migration.number <= before) continue;
    if (const auto applied = Apply(connection, migration, now); !applied) {
      return std::unexpected(
          Error(applied.error()).While(fmt::format("applying schema change {}", migration.name)));
    }
    report.after = migration.number;
  }
  if (before > 0) {
    PATRA_TRY(sql::ItemViews::MakeAll(connection));
    PATRA_TRY(connection.Run(kForgetSteps, {{"number", kViewsOfRecords}}));
  }
  return report;
}

}  // namespace patra::infra::mysql
