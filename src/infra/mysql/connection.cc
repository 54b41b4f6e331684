#include "infra/mysql/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <random>

#include <fmt/format.h>
#include <mysql.h>

#include "infra/mysql/prepared.h"
#include "infra/sql/slow_statements.h"

namespace patra::infra::mysql {
namespace {

// The server keeps as many for everybody together as max_prepared_stmt_count says (16,382 by default).
constexpr std::size_t kStatementsMax = 300;

// Texts are compared byte by byte, `||` joins them, identifiers stand in double quotes, and what does not fit is an error.
// Everybody's times are UTC.
constexpr std::string_view kSettings =
    "SET SESSION sql_mode = "
    "'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION', "
    "time_zone = '+00:00', innodb_lock_wait_timeout = 20, wait_timeout = 120, autocommit = 1; "
    "SET NAMES utf8mb4 COLLATE utf8mb4_bin; "
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; "
    "SELECT @@max_allowed_packet";

unsigned Seconds(Duration wait) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, wait / std::chrono::seconds(1)));
}

void SetOptions(MYSQL* handle, const Address& address, const Waits& waits) {
  const unsigned connect = Seconds(waits.connect);
  const unsigned answer = Seconds(waits.answer);
  const unsigned long packet = 1UL << 30;
  mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &connect);
  mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &answer);
  mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &answer);
  mysql_options(handle, MYSQL_OPT_MAX_ALLOWED_PACKET, &packet);
  mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  // Else the library takes "localhost" for a socket that it knows, whatever the port is.
  const unsigned protocol = MYSQL_PROTOCOL_TCP;
  mysql_options(handle, MYSQL_OPT_PROTOCOL, &protocol);
  // The library reads no files that the server asks for, nor anybody's configuration.
  const unsigned no_files = 0;
  mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &no_files);
  const my_bool verifies = address.tls == Address::Tls::kVerified ? 1 : 0;
  const my_bool enforces = verifies;
  if (address.tls != Address::Tls::kOff) {
    mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &enforces);
    mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verifies);
    if (!address.authority.empty())
      mysql_options(handle, MYSQL_OPT_SSL_CA, address.authority.c_str());
  }
}

// How many rows of an INSERT go at once. Few sizes, so that few statements are kept.
constexpr std::array<std::size_t, 5> kRowsAtOnce{256, 64, 16, 4, 1};

constexpr std::array<std::size_t, 7> kQueriesAtOnce{64, 32, 16, 8, 4, 2, 1};

// And how many values of a list. MariaDB makes a table of a list of a thousand, and reads that.
constexpr std::array<std::size_t, 3> kListSizes{10, 100, 500};

std::size_t SizeFor(std::size_t values) {
  return *std::ranges::find_if(kListSizes, [&](std::size_t size) { return values <= size; });
}

std::size_t BytesOf(std::span<const sql::Parameter> row) {
  std::size_t bytes = 0;
  for (const auto& parameter : row) bytes += parameter.value.text().size() + 16;
  return bytes;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Open(const Address& address, const Waits& waits) {
  static std::once_flag once;
  std::call_once(once, [] { mysql_library_init(0, nullptr, nullptr); });
  auto* handle = mysql_init(nullptr);
  if (handle == nullptr) return Fail(ErrorCode::kExhausted, "there is no memory for a connection");
  auto connection = std::unique_ptr<Connection>(new Connection(handle));
  SetOptions(handle, address, waits);
  constexpr unsigned long kFlags = CLIENT_FOUND_ROWS | CLIENT_MULTI_STATEMENTS;
  if (mysql_real_connect(handle, address.host.c_str(), address.user.c_str(),
                         address.password.c_str(), address.database.c_str(), address.port, nullptr,
                         kFlags) == nullptr) {
    return connection->Fails(mysql_errno(handle), mysql_error(handle),
                             fmt::format("connecting to {}", address.Describe()));
  }
  for (const auto& packet : PATRA_TRY(connection->ExecuteForTexts(std::string(kSettings))))
    std::from_chars(packet.data(), packet.data() + packet.size(), connection->packet_bytes_max_);
  return connection;
}

Connection::Connection(st_mysql* handle) : handle_(handle) {}

void Connection::HangUp() { shutdown(mysql_get_socket(handle_), SHUT_RDWR); }

unsigned Connection::number() const { return mysql_errno(handle_); }

Connection::~Connection() {
  statements_.clear();
  mysql_close(handle_);
}

Result<CommitMark> Connection::NextMark() {
  // Every transaction renews the time of its own connection's row.
  constexpr std::string_view kForget =
      "DELETE FROM patra_commit WHERE made_at < UNIX_TIMESTAMP() - 30 * 86400";
  constexpr std::string_view kMake =
      "INSERT INTO patra_commit (session_key, mark, made_at) VALUES (:session_key, 0, "
      "UNIX_TIMESTAMP())";
  if (mark_.row.empty()) {
    std::random_device device;
    const auto key =
        fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
    PATRA_TRY(Run(kForget));
    PATRA_TRY(Run(kMake, {{"session_key", key}}));
    mark_.row = key;
  }
  ++mark_.number;
  return mark_;
}

Result<void> Connection::CheckUsable() const {
  if (fate_ == Fate::kNone) return {};
  return std::unexpected(failure_);
}

std::unexpected<Error> Connection::Fails(unsigned number, std::string_view said,
                                         std::string_view doing) {
  auto failure = FailureFrom(number, said, doing);
  if (failure.fate != Fate::kNone) {
    fate_ = failure.fate;
    failure_ = failure.error;
  }
  return std::unexpected(std::move(failure.error));
}

Result<void> Connection::Execute(const std::string& sql) {
  PATRA_TRY(ExecuteForTexts(sql));
  return {};
}

Result<std::vector<std::string>> Connection::ExecuteForTexts(const std::string& sql) {
  PATRA_TRY(CheckUsable());
  const auto fails = [&] {
    return Fails(mysql_errno(handle_), mysql_error(handle_), sql.substr(0, sql.find('\n')));
  };
  CountRoundTrip();
  const sql::StatementWatch watch(slow());
  const int code = mysql_real_query(handle_, sql.data(), sql.size());
  watch.EndOfText(sql);
  if (code != 0) return fails();
  std::vector<std::string> texts;
  while (true) {
    if (auto* result = mysql_store_result(handle_)) {
      auto* row = mysql_fetch_row(result);
      if (row != nullptr && row[0] != nullptr)
        texts.emplace_back(row[0], mysql_fetch_lengths(result)[0]);
      mysql_free_result(result);
    } else if (mysql_errno(handle_) != 0) {
      return fails();
    }
    const int more = mysql_next_result(handle_);
    if (more < 0) return texts;
    if (more > 0) return fails();
  }
}

Result<Prepared*> Connection::Find(std::string_view sql, const Shape& shape) {
  PATRA_TRY(CheckUsable());
  const auto key = std::pair(sql.data(), shape);
  auto found = statements_.find(key);
  // Text made on the fly may stand where other text stood before.
  if (found != statements_.end() && found->second->sql() != sql) {
    statements_.erase(found);
    found = statements_.end();
  }
  if (found == statements_.end()) {
    if (statements_.size() >= kStatementsMax)
      std::erase_if(statements_, [](const auto& kept) { return !kept.second->is_running(); });
    CountRoundTrip();
    found = statements_.emplace(key, PATRA_TRY(Prepared::Make(*this, sql, shape))).first;
  }
  PATRA_ASSERT(!found->second->is_running());  // the same text is not run inside itself
  return found->second.get();
}

std::size_t Connection::list_max() const { return kListSizes.back(); }

Result<sql::Statement*> Connection::Prepare(std::string_view sql,
                                            std::span<const sql::Parameter> parameters,
                                            const std::optional<sql::ValueList>& list, Lifetime) {
  const auto places = list ? SizeFor(list->size()) : 0;
  auto* statement = PATRA_TRY(Find(sql, {.list = places}));
  const auto started = [&]() -> Result<void> {
    PATRA_TRY(statement->Bind(parameters));
    if (list) statement->BindList(*list);
    return statement->Start();
  }();
  if (!started) {
    statement->End();
    return std::unexpected(started.error());
  }
  return statement;
}

Result<void> Connection::InGroups(std::span<const std::size_t> sizes, std::size_t rows,
                                  const RowOf& row,
                                  const std::function<Result<void>(RowGroup)>& send) {
  std::vector<std::vector<sql::Parameter>> waiting;
  std::size_t bytes = 0;
  const auto send_all = [&]() -> Result<void> {
    for (RowGroup rest = waiting; !rest.empty();) {
      const auto count =
          *std::ranges::find_if(sizes, [&](std::size_t size) { return size <= rest.size(); });
      PATRA_TRY(send(rest.first(count)));
      rest = rest.subspan(count);
    }
    waiting.clear();
    bytes = 0;
    return {};
  };
  for (std::size_t i = 0; i < rows; ++i) {
    PATRA_TRY(row(i, [&](sql::Parameters parameters) -> Result<void> {
      const auto size = BytesOf(parameters);
      const bool is_full = waiting.size() == sizes.front() ||
                           (!waiting.empty() && bytes + size > packet_bytes_max_ / 2);
      if (is_full) PATRA_TRY(send_all());
      waiting.emplace_back(parameters.begin(), parameters.end());
      bytes += size;
      return {};
    }));
  }
  return send_all();
}

Result<void> Connection::RunEach(std::string_view sql, std::size_t rows, const RowOf& row) {
  return InGroups(kRowsAtOnce, rows, row, [&](RowGroup group) { return RunGroup(sql, group); });
}

Result<void> Connection::RunGroup(std::string_view sql, RowGroup group) {
  auto* statement = PATRA_TRY(Find(sql, {.rows = group.size()}));
  const auto ran = [&]() -> Result<void> {
    for (const auto& row : group) PATRA_TRY(statement->Bind(row));
    return statement->Start();
  }();
  statement->End();
  const bool is_one_there = !ran && ran.error().code == ErrorCode::kDuplicate;
  if (!is_one_there || group.size() == 1 || !statement->skips_duplicates()) return ran;
  // One row that is there keeps all of them out: each goes alone then.
  for (std::size_t i = 0; i < group.size(); ++i) PATRA_TRY(RunGroup(sql, group.subspan(i, 1)));
  return {};
}

Result<void> Connection::QueryEach(std::string_view sql, std::size_t rows, const RowOf& row,
                                   const Answer& answer) {
  return InGroups(kQueriesAtOnce, rows, row,
                  [&](RowGroup group) { return QueryGroup(sql, group, answer); });
}

Result<void> Connection::QueryGroup(std::string_view sql, RowGroup group, const Answer& answer) {
  auto* statement = PATRA_TRY(Find(sql, {.rows = group.size()}));
  sql::Rows rows(*statement);  // ends it
  for (const auto& row : group) PATRA_TRY(statement->Bind(row));
  PATRA_TRY(statement->Start());
  while (PATRA_TRY(rows.Next())) PATRA_TRY(answer(rows));
  return {};
}

}  // namespace patra::infra::mysql
