#include "infra/sqlite/connection.h"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sqlite3.h>

namespace patra::infra::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 5000;

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
    return error(ErrorCode::kConflict, "");
  }
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(ErrorCode::kUnavailable,
                   "another program holds the database; try again when it is done");
    case SQLITE_FULL:
      return error(ErrorCode::kUnavailable, "the disk is full; free some space, nothing is lost");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return error(ErrorCode::kInvalidInput, "check the permissions of the file and its folder");
    case SQLITE_CANTOPEN:
      return error(ErrorCode::kInvalidInput, "check that the folder exists and may be written");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return error(ErrorCode::kCorruption, "restore the database from a backup");
    case SQLITE_IOERR:
      return error(ErrorCode::kUnavailable, "the disk reported an error; check its health");
    case SQLITE_CONSTRAINT:
      return error(ErrorCode::kCorruption, "");
    default:
      return error(ErrorCode::kInternal, "");
  }
}

std::string WithList(std::string_view sql) {
  std::string text(sql);
  text += " (?";
  for (std::size_t i = 1; i < kListMax; ++i) text += ",?";
  return text += ')';
}

Rows::~Rows() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Result<bool> Rows::Next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(ErrorFrom(sqlite3_db_handle(statement_), code, "reading"));
}

bool Rows::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Rows::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Rows::Number(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Rows::View(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
}

std::string Rows::Text(int column) const { return std::string(View(column)); }

std::optional<std::int64_t> Rows::OptionalInteger(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Integer(column);
}

std::optional<std::string> Rows::OptionalText(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Text(column);
}

std::optional<Instant> Rows::OptionalTime(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Time(column);
}

Result<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Access access) {
  const int flags = (access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                                 : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) |
                    SQLITE_OPEN_NOMUTEX;
  if (access == Access::kReadWrite) MakePrivately(path);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
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
  for (const auto& [text, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<void> Connection::Execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    const auto first_line = std::string_view(sql).substr(0, sql.find('\n'));
    return std::unexpected(ErrorFrom(handle_, code, first_line));
  }
  return {};
}

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

Result<sqlite3_stmt*> Connection::Prepare(std::string_view sql) {
  auto& statement = statements_[sql.data()];
  // Text made on the fly may stand where other text stood before.
  if (statement != nullptr && sql != sqlite3_sql(statement)) {
    sqlite3_finalize(statement);
    statement = nullptr;
  }
  if (statement == nullptr) {
    const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) {
      statements_.erase(sql.data());
      return std::unexpected(ErrorFrom(handle_, code, "preparing a statement"));
    }
  }
  PATRA_ASSERT(sqlite3_stmt_busy(statement) == 0);  // the same text is not run inside itself
  return statement;
}

Result<std::int64_t> Connection::Finish(sqlite3_stmt* statement) {
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement);
  if (code != SQLITE_DONE) {
    auto error = ErrorFrom(handle_, code, "writing");
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return std::unexpected(std::move(error));
  }
  const auto changed = sqlite3_changes64(handle_);
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return changed;
}

// Bound text and blobs outlive the statement's run: Run ends before its arguments do, and the views
// bound by Query belong to the caller's frame.
void Connection::Bind(sqlite3_stmt* statement, int index, std::int64_t value) {
  sqlite3_bind_int64(statement, index, value);
}

void Connection::Bind(sqlite3_stmt* statement, int index, std::string_view text) {
  // A null pointer would bind NULL: empty text is not absent text.
  sqlite3_bind_text64(statement, index, text.data() == nullptr ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void Connection::Bind(sqlite3_stmt* statement, int index, Blob blob) {
  sqlite3_bind_blob64(statement, index, blob.bytes.data() == nullptr ? "" : blob.bytes.data(),
                      blob.bytes.size(), SQLITE_STATIC);
}

void Connection::Bind(sqlite3_stmt* statement, int index, std::nullopt_t) {
  sqlite3_bind_null(statement, index);
}

}  // namespace patra::infra::sqlite
