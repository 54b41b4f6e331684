#include "infra/mysql/store_care.h"

#include <fmt/format.h>

#include "infra/mysql/migration.h"
#include "infra/sql/runbook.h"

namespace patra::infra::mysql {
namespace {

constexpr std::int64_t kPacketBytesMin = std::int64_t{64} << 20;

constexpr std::string_view kLocks =
    "SELECT count(*) FROM patra_lock WHERE name IN ('store', 'queue', 'outbox')";
constexpr std::string_view kOtherEngines = R"sql(
    SELECT count(*) FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine <> 'InnoDB')sql";
constexpr std::string_view kFlush = "SELECT @@innodb_flush_log_at_trx_commit";
constexpr std::string_view kPacket = "SELECT @@max_allowed_packet";

Result<void> CheckSettings(Connection& connection, std::vector<std::string>& problems) {
  if (PATRA_TRY(connection.Integer(kLocks)) != 3)
    problems.emplace_back("table patra_lock lacks rows that the migrations made");
  if (PATRA_TRY(connection.Integer(kOtherEngines)) > 0)
    problems.emplace_back("some tables are not InnoDB, so that their changes cannot be undone");
  if (PATRA_TRY(connection.Integer(kFlush)) != 1) {
    problems.emplace_back(
        "innodb_flush_log_at_trx_commit is not 1: a power cut may lose what was committed");
  }
  const auto packet = PATRA_TRY(connection.Integer(kPacket));
  if (packet < kPacketBytesMin) {
    problems.push_back(
        fmt::format("max_allowed_packet is {} KiB: large pages do not fit; set it to 64M or more",
                    packet >> 10));
  }
  return {};
}

constexpr std::string_view kPool = "SELECT @@innodb_buffer_pool_size";
constexpr std::string_view kStored = R"sql(
    SELECT CAST(coalesce(sum(data_length + index_length), 0) AS SIGNED) FROM information_schema.tables
    WHERE table_schema = DATABASE())sql";
constexpr std::string_view kSlowLog = "SELECT @@slow_query_log";
constexpr std::string_view kConnections = "SELECT @@max_connections";

// What is looked at again and again is a part of all that is stored; below that size nobody needs to care.
constexpr std::int64_t kPoolEnough = std::int64_t{1} << 30;
constexpr std::int64_t kConnectionsMin = 100;

Result<void> AdviseOnSettings(Connection& connection, std::vector<app::StoreAdvice>& advice) {
  const auto pool = PATRA_TRY(connection.Integer(kPool));
  const auto stored = PATRA_TRY(connection.Integer(kStored));
  if (pool < kPoolEnough && pool < stored / 2) {
    advice.push_back({fmt::format("innodb_buffer_pool_size is {} MiB, and {} MiB are stored",
                                  pool >> 20, stored >> 20),
                      "raise it, to half of the machine's memory where nothing else runs there"});
  }
  if (PATRA_TRY(connection.Integer(kSlowLog)) == 0) {
    advice.push_back({"the server keeps no log of slow statements",
                      "set slow_query_log=1 and long_query_time=0.5"});
  }
  const auto connections = PATRA_TRY(connection.Integer(kConnections));
  if (connections < kConnectionsMin) {
    advice.push_back({fmt::format("max_connections is {}", connections),
                      "each process takes as many as it has workers, and four more"});
  }
  return {};
}

std::unexpected<Error> LeftToTheServer(std::string_view what, std::string_view how) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("a store on a server is not {} by patra", what),
              {}, std::string(how));
}

}  // namespace

Result<app::SchemaChange> StoreCare::Migrate(Instant now) {
  return mysql::Migrate(address_, EmbeddedMigrations(), now);
}

Result<app::StoreFindings> StoreCare::Check() {
  const auto connection = PATRA_TRY(Connection::Open(address_, {}));
  PATRA_TRY(sql::CheckSchema(*connection, EmbeddedMigrations()));
  app::StoreFindings findings{.schema =
                                  PATRA_TRY(sql::AppliedSoFar(*connection, EmbeddedMigrations()))};
  PATRA_TRY(CheckSettings(*connection, findings.problems));
  return findings;
}

Result<app::StoreFindings> StoreCare::Look() {
  auto findings = PATRA_TRY(Check());
  const auto connection = PATRA_TRY(Connection::Open(address_, {}));
  PATRA_TRY(AdviseOnSettings(*connection, findings.advice));
  return findings;
}

Result<std::vector<app::StoreAnswer>> StoreCare::Ask(Instant now) {
  const auto connection = PATRA_TRY(Connection::Open(address_, {}));
  return sql::AskRunbook(*connection, now);
}

Result<void> StoreCare::BackUp(const std::string&) {
  return LeftToTheServer("backed up", "use mariadb-dump --single-transaction, or mariabackup");
}

Result<void> StoreCare::Restore(const std::string&) {
  return LeftToTheServer("restored", "load the dump into an empty database");
}

}  // namespace patra::infra::mysql
