// Brings the schema up to date. A change of the schema cannot be undone by this server: each of its statements commits by itself.
// So the book also keeps how far a change has come, and whoever comes after a crash goes on there.
#pragma once

#include <vector>

#include "app/port/store_care.h"
#include "infra/mysql/connection.h"
#include "infra/sql/schema_book.h"

namespace patra::infra::mysql {

// The changes in sql/mysql, compiled in, in order.
const std::vector<sql::Migration>& EmbeddedMigrations();

// Whether Migrate has something to do.
Result<bool> IsBehind(Connection& connection, const std::vector<sql::Migration>& migrations);

// Several processes may call it at once, and others may be at work. Waits for as long as a change of a large table takes.
Result<app::SchemaChange> Migrate(const Address& address,
                                  const std::vector<sql::Migration>& migrations, Instant now);

// The statements of a change: each ends with a semicolon at the end of a line.
std::vector<std::string> StatementsOf(std::string_view sql);

}  // namespace patra::infra::mysql
