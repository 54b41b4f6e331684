// A database of one's own on the MariaDB server that the tests share (tools/test_mariadb).
#pragma once

#include <unistd.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "infra/mysql/connection.h"

namespace patra::testing {

// The port of the server, if one runs.
inline std::optional<unsigned> TestServerPort() {
  std::ifstream file(std::string(PATRA_MARIADB_FOLDER) + "/port");
  unsigned port = 0;
  if (file >> port) return port;
  return std::nullopt;
}

inline infra::mysql::Address AddressOf(const std::string& database) {
  return {.user = "root",
          .host = "127.0.0.1",
          .port = TestServerPort().value_or(0),
          .database = database};
}

// A connection whose failures are failures of the test.
class TestServer {
 public:
  static TestServer At(const infra::mysql::Address& address) {
    auto connection = infra::mysql::Connection::Open(address, {});
    PATRA_ASSERT(connection.has_value());
    return TestServer(*std::move(connection));
  }
  static TestServer At(const std::string& url) { return At(*infra::mysql::Address::Parse(url)); }

  // One or more statements, and the first column of the first row of each that yields one.
  void Run(const std::string& sql) { (void)Texts(sql); }
  std::vector<std::string> Texts(const std::string& sql) {
    auto texts = connection_->ExecuteForTexts(sql);
    EXPECT_TRUE(texts) << texts.error().Describe();
    return texts.value_or(std::vector<std::string>{});
  }
  // The first column of every row.
  std::vector<std::string> List(std::string_view sql) {
    std::vector<std::string> texts;
    auto rows = connection_->Query(sql);
    EXPECT_TRUE(rows) << rows.error().Describe();
    while (rows && rows->Next().value_or(false)) texts.push_back(rows->Text(infra::sql::kOnly));
    return texts;
  }

 private:
  explicit TestServer(std::unique_ptr<infra::mysql::Connection> connection)
      : connection_(std::move(connection)) {}

  std::unique_ptr<infra::mysql::Connection> connection_;
};

// An empty database with patra's tables. Making those takes seconds, so a database is emptied and used again by the next test,
// which is another process; one whose test crashed is left alone.
class TestDatabase {
 public:
  TestDatabase() {
    auto server = TestServer::At(AddressOf("mysql"));
    server.Run(
        "CREATE DATABASE IF NOT EXISTS patra_tests; CREATE TABLE IF NOT EXISTS "
        "patra_tests.pool (name VARCHAR(64) PRIMARY KEY, is_taken INT NOT NULL)");
    const auto found = server.Texts(
        "START TRANSACTION; SELECT name FROM patra_tests.pool WHERE is_taken = 0 LIMIT 1 FOR "
        "UPDATE");
    if (!found.empty()) {
      name_ = found.front();
      server.Run("UPDATE patra_tests.pool SET is_taken = 1 WHERE name = '" + name_ + "'; COMMIT");
      return;
    }
    static int made = 0;
    name_ = fmt::format("patra_{}_{}", getpid(), ++made);
    server.Run(fmt::format(
        "INSERT INTO patra_tests.pool VALUES ('{0}', 1); COMMIT; CREATE DATABASE {0}", name_));
  }
  ~TestDatabase() {
    auto server = TestServer::At(AddressOf("mysql"));
    auto sql = fmt::format("USE {}; ", name_);
    // Those of endpoints say whose records they show; the others belong to the schema.
    for (const auto& view : server.List(fmt::format(
             "SELECT table_name FROM information_schema.views WHERE table_schema = '{}' AND "
             "instr(view_definition, 'records of ') > 0",
             name_)))
      sql += "DROP VIEW " + view + "; ";
    for (const auto& table : server.List(fmt::format(
             "SELECT table_name FROM information_schema.tables WHERE table_schema = '{}' AND "
             "table_type = 'BASE TABLE'",
             name_))) {
      const bool is_fixed =
          table.starts_with("sys_dict") || table == "patra_schema" || table == "patra_lock";
      if (!is_fixed) sql += "DELETE FROM " + table + "; ";
      // What the migrations filled stays, but for what a test has done to it.
      if (table == "sys_dict_item") sql += "UPDATE sys_dict_item SET enabled = 1; ";
    }
    server.Run(sql + "UPDATE patra_tests.pool SET is_taken = 0 WHERE name = '" + name_ + "'");
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace patra::testing
