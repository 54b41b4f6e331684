#include "infra/sqlite/connection.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "infra/sql/slow_statements.h"
#include "infra/sqlite/fold_log.h"

namespace patra::infra::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 5000;
constexpr std::size_t kExcerptBytes = 60;
constexpr std::size_t kParametersMax = 64;  // as many as a word has bits
constexpr std::string_view kDiskIsFull = "the disk is full; free some space, nothing is lost";

// What to do about an error that the system gave a reason for.
std::string_view OfSystem(sqlite3* handle) {
  switch (handle == nullptr ? 0 : sqlite3_system_errno(handle)) {
    case EFBIG:
      return "the file may not grow any further (`ulimit -f`); nothing is lost";
    case ENOSPC:
    case EDQUOT:
      return kDiskIsFull;
    default:
      return "the disk reported an error; check its health, and that it is not full";
  }
}

// A store holds what others said in confidence, and SQLite would let everybody on the machine read a new one;
// the files beside it get the same permissions. Only a file that is not there yet is opened here: closing one
// that another connection has locked would drop its locks.
void MakePrivately(const std::string& path) {
  if (path.empty() || path == ":memory:")
    return;  // SQLite's names for what is in no file of that name
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

}  // namespace

Error ErrorFrom(sqlite3* handle, int code, std::string_view doing) {
  const char* said = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  const auto error = [&](ErrorCode meaning, std::string_view hint) {
    return Error{meaning, fmt::format("{}: {}", doing, said), {}, std::string(hint)};
  };
  if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY) {
    return error(ErrorCode::kDuplicate, "");
  }
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(ErrorCode::kUnavailable,
                   "another program holds the database; try again when it is done");
    case SQLITE_FULL:
      return error(ErrorCode::kUnavailable, kDiskIsFull);
    case SQLITE_READONLY:
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{}: the store may be read and not written", doing),
                   {},
                   "this user has to be able to write the file, its folder and the -wal beside it; "
                   "a disk that is mounted for reading refuses everybody"};
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return error(ErrorCode::kInvalidInput, "check the permissions of the file and its folder");
    case SQLITE_CANTOPEN:
      return error(ErrorCode::kInvalidInput, "check that the folder exists and may be written");
    case SQLITE_NOTADB:
      return Error{ErrorCode::kCorruption,
                   "the file is no store: another program wrote it, or its beginning is damaged",
                   {},
                   "name another file with --db, or restore the store from a backup"};
    case SQLITE_CORRUPT:
      return error(ErrorCode::kCorruption, "restore the database from a backup");
    case SQLITE_IOERR:
      return error(ErrorCode::kUnavailable, OfSystem(handle));
    case SQLITE_CONSTRAINT:
      return error(ErrorCode::kCorruption, "");
    default:
      return error(ErrorCode::kInternal, "");
  }
}

class Connection::Prepared final : public sql::Statement {
 public:
  Prepared(sqlite3_stmt* statement, const Connection& connection)
      : statement_(statement), connection_(connection) {
    const int parameters = sqlite3_bind_parameter_count(statement);
    for (int index = 1; index <= parameters; ++index) {
      const char* name = sqlite3_bind_parameter_name(statement, index);
      if (name == nullptr) break;  // the list, which comes last
      parameters_.emplace_back(name + 1);
    }
    PATRA_ASSERT(parameters_.size() < kParametersMax);
    const int columns = sqlite3_column_count(statement);
    for (int column = 0; column < columns; ++column)
      columns_.emplace_back(sqlite3_column_name(statement, column));
  }
  ~Prepared() override { sqlite3_finalize(statement_); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::string_view text() const { return sqlite3_sql(statement_); }
  bool is_running() const { return sqlite3_stmt_busy(statement_) != 0; }

  // Every parameter gets its value, and there is no value without one.
  Result<void> BindAll(std::span<const sql::Parameter> given, Lifetime lifetime) {
    std::uint64_t bound = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const int index = IndexOf(given[i].name, i);
      if (index == 0) return Mismatch("has no parameter", given[i].name);
      if ((bound & BitOf(index)) != 0) return Mismatch("is given two values of", given[i].name);
      bound |= BitOf(index);
      Bind(index, given[i].value, lifetime);
    }
    for (std::size_t i = 0; given.size() < parameters_.size() && i < parameters_.size(); ++i) {
      if ((bound & BitOf(static_cast<int>(i) + 1)) == 0)
        return Mismatch("lacks the value of", parameters_[i]);
    }
    return {};
  }
  void BindList(sql::ValueList list, Lifetime lifetime) {
    int index = static_cast<int>(parameters_.size());
    for (std::size_t i = 0; i < sql::kListMax; ++i) {
      // Null is equal to nothing.
      Bind(++index, i < list.size() ? list[i] : sql::Bound(std::nullopt), lifetime);
    }
  }

  Result<bool> Next() override {
    const sql::StatementWatch watch(connection_.slow());
    const int code = sqlite3_step(statement_);
    took_ += watch.took();
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    const auto* doing = sqlite3_stmt_readonly(statement_) != 0 ? "reading" : "writing";
    return std::unexpected(ErrorFrom(sqlite3_db_handle(statement_), code, doing));
  }
  void End() noexcept override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    const auto took = std::exchange(took_, Duration{});
    if (auto* slow = connection_.slow()) slow->Note(text(), took);
  }
  std::int64_t changed() override { return sqlite3_changes64(sqlite3_db_handle(statement_)); }

  int columns() const override { return static_cast<int>(columns_.size()); }
  std::string_view ColumnName(int column) const override {
    return columns_[static_cast<std::size_t>(column)];
  }
  bool IsNull(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  std::int64_t Integer(int column) const override {
    return sqlite3_column_int64(statement_, column);
  }
  double Number(int column) const override { return sqlite3_column_double(statement_, column); }
  std::string_view View(int column) const override {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
  }

 private:
  // From 1 on; 0 for none. `guess` is where it stands if values are given in the statement's order.
  int IndexOf(std::string_view name, std::size_t guess) const {
    if (guess < parameters_.size() && parameters_[guess] == name)
      return static_cast<int>(guess) + 1;
    const auto found = std::ranges::find(parameters_, name);
    return found == parameters_.end() ? 0 : static_cast<int>(found - parameters_.begin()) + 1;
  }

  static std::uint64_t BitOf(int index) { return std::uint64_t{1} << index; }

  std::unexpected<Error> Mismatch(std::string_view how, std::string_view name) const {
    const auto sql = text();
    const auto begin = std::min(sql.find_first_not_of(" \n"), sql.size());
    return Fail(ErrorCode::kInternal, fmt::format("the statement '{}…' {} ':{}'",
                                                  sql.substr(begin, kExcerptBytes), how, name));
  }

  // Empty text and bytes are not absent ones, as a null pointer would be.
  void Bind(int index, const sql::Bound& value, Lifetime lifetime) {
    const auto text = value.text();
    const char* bytes = text.data() == nullptr ? "" : text.data();
    auto* keep = lifetime == Lifetime::kOfCall ? SQLITE_STATIC : SQLITE_TRANSIENT;
    switch (value.kind()) {
      case sql::Bound::Kind::kNull:
        sqlite3_bind_null(statement_, index);
        return;
      case sql::Bound::Kind::kInteger:
        sqlite3_bind_int64(statement_, index, value.integer());
        return;
      case sql::Bound::Kind::kText:
        sqlite3_bind_text64(statement_, index, bytes, text.size(), keep, SQLITE_UTF8);
        return;
      case sql::Bound::Kind::kBytes:
        sqlite3_bind_blob64(statement_, index, bytes, text.size(), keep);
        return;
    }
  }

  sqlite3_stmt* statement_;
  const Connection& connection_;
  Duration took_{};                      // by what was read so far
  std::vector<std::string> parameters_;  // without their colon
  std::vector<std::string> columns_;
};

namespace {

// In a URI, these would end the path or stand for something else.
std::string EncodePath(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      encoded += fmt::format("%{:02X}", static_cast<unsigned>(c));
    } else {
      encoded += c;
    }
  }
  return encoded;
}

}  // namespace

Connection::Connection(sqlite3* handle) : handle_(handle) {}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Access access) {
  const int flags = (access == Access::kReadWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                                  : SQLITE_OPEN_READONLY) |
                    (access == Access::kImmutable ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX;
  const auto name =
      access == Access::kImmutable ? "file:" + EncodePath(path) + "?immutable=1" : path;
  if (access == Access::kReadWrite) {
    PATRA_TRY(RefuseOrphanedLog(path));
    MakePrivately(path);
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  auto connection = std::unique_ptr<Connection>(new Connection(handle));
  if (code != SQLITE_OK) {
    return std::unexpected(ErrorFrom(handle, code, fmt::format("opening {}", path)));
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // Closing must not checkpoint: every short command would, and only one process may at a time.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_wal_autocheckpoint(handle, 0);
  return connection;
}

Connection::~Connection() {
  statements_.clear();
  sqlite3_close(handle_);
}

Result<void> Connection::Execute(const std::string& sql) {
  const sql::StatementWatch watch(slow());
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  watch.EndOfText(sql);
  if (code != SQLITE_OK) {
    const auto first_line = std::string_view(sql).substr(0, sql.find('\n'));
    return std::unexpected(ErrorFrom(handle_, code, first_line));
  }
  return {};
}

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

Result<Connection::Prepared*> Connection::Find(std::string_view sql) {
  auto& statement = statements_[sql.data()];
  // Text made on the fly may stand where other text stood before.
  if (statement != nullptr && sql != statement->text()) statement.reset();
  if (statement == nullptr) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) {
      statements_.erase(sql.data());
      return std::unexpected(ErrorFrom(handle_, code, "preparing a statement"));
    }
    statement = std::make_unique<Prepared>(prepared, *this);
  }
  PATRA_ASSERT(!statement->is_running());  // the same text is not run inside itself
  return statement.get();
}

Result<sql::Statement*> Connection::Prepare(std::string_view sql,
                                            std::span<const sql::Parameter> parameters,
                                            const std::optional<sql::ValueList>& list,
                                            Lifetime lifetime) {
  auto* statement = PATRA_TRY(Find(sql));
  if (const auto bound = statement->BindAll(parameters, lifetime); !bound) {
    statement->End();
    return std::unexpected(bound.error());
  }
  if (list) statement->BindList(*list, lifetime);
  return statement;
}

}  // namespace patra::infra::sqlite
