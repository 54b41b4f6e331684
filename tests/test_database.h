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

// An empty database with patra's tables. Making those takes seconds, so a database is emptied and used again by the next test,
// which is another process; one whose test crashed is left alone.
class TestDatabase {
 public:
  TestDatabase() {
    auto server = Server();
    server->Run(
        "CREATE DATABASE IF NOT EXISTS patra_tests; CREATE TABLE IF NOT EXISTS "
        "patra_tests.pool (name VARCHAR(64) PRIMARY KEY, is_taken INT NOT NULL)");
    const auto found = server->Texts(
        "START TRANSACTION; SELECT name FROM patra_tests.pool WHERE is_taken = 0 LIMIT 1 FOR "
        "UPDATE");
    if (!found.empty()) {
      name_ = found.front();
      server->Run("UPDATE patra_tests.pool SET is_taken = 1 WHERE name = '" + name_ + "'; COMMIT");
      return;
    }
    static int made = 0;
    name_ = fmt::format("patra_{}_{}", getpid(), ++made);
    server->Run(fmt::format(
        "INSERT INTO patra_tests.pool VALUES ('{0}', 1); COMMIT; CREATE DATABASE {0}", name_));
  }
  ~TestDatabase() {
    auto server = Server();
    auto sql = fmt::format("USE {}; ", name_);
    for (const auto* kind : {"VIEW", "BASE TABLE"}) {
      for (const auto& table : server->List(fmt::format(
               "SELECT table_name FROM information_schema.tables WHERE table_schema = '{}' AND "
               "table_type = '{}'",
               name_, kind))) {
        const bool is_fixed = table.starts_with("sys_dict") || table.starts_with("patra_schema") ||
                              table.starts_with("v_ing") || table == "patra_lock" ||
                              table.starts_with("ing_");
        if (*kind == 'V' && !is_fixed) sql += "DROP VIEW " + table + "; ";
        if (*kind == 'B' && (!is_fixed || table.starts_with("ing_")))
          sql += "DELETE FROM " + table + "; ";
      }
    }
    server->Run(sql + "UPDATE patra_tests.pool SET is_taken = 0 WHERE name = '" + name_ + "'");
  }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  const std::string& name() const { return name_; }

 private:
  // Where a failure is a failure of the test.
  struct Asserting {
    std::unique_ptr<infra::mysql::Connection> connection;

    void Run(const std::string& sql) { (void)Texts(sql); }
    std::vector<std::string> Texts(const std::string& sql) {
      auto texts = connection->ExecuteForTexts(sql);
      EXPECT_TRUE(texts) << texts.error().Describe();
      return texts.value_or(std::vector<std::string>{});
    }
    std::vector<std::string> List(std::string_view sql) {
      std::vector<std::string> texts;
      auto rows = connection->Query(sql);
      EXPECT_TRUE(rows);
      while (rows && rows->Next().value_or(false)) texts.push_back(rows->Text(infra::sql::kOnly));
      return texts;
    }
  };
  static std::optional<Asserting> Server() {
    auto server = infra::mysql::Connection::Open(AddressOf("mysql"), {});
    PATRA_ASSERT(server.has_value());
    return Asserting{*std::move(server)};
  }

  std::string name_;
};

}  // namespace patra::testing
