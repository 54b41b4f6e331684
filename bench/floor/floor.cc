#include "bench/floor/floor.h"

#include <curl/curl.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <zstd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace patra::floor {
namespace {

void Check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "floor: %s\n", what);
  std::exit(1);
}

std::size_t Append(char* bytes, std::size_t, std::size_t size, void* target) {
  static_cast<std::string*>(target)->append(bytes, size);
  return size;
}

void Bind(sqlite3_stmt* statement, int index, std::string_view text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

sqlite3* Open(const std::string& database) {
  sqlite3* db = nullptr;
  Check(sqlite3_open(database.c_str(), &db) == SQLITE_OK, "cannot open the file");
  Check(sqlite3_exec(
            db,
            "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
            "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; "
            "CREATE TABLE IF NOT EXISTS item (id TEXT PRIMARY KEY, updated TEXT, title TEXT) "
            "WITHOUT ROWID; "
            "CREATE TABLE IF NOT EXISTS page (id INTEGER PRIMARY KEY, body BLOB)",
            nullptr, nullptr, nullptr) == SQLITE_OK,
        "no tables");
  return db;
}

}  // namespace

void Prepare(const std::string& database) { sqlite3_close(Open(database)); }

Outcome Harvest(const std::string& url, const std::string& database) {
  const auto begin = std::chrono::steady_clock::now();
  sqlite3* db = Open(database);
  const auto run = [&](const char* sql) {
    Check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sqlite3_errmsg(db));
  };
  sqlite3_stmt* upsert = nullptr;
  sqlite3_stmt* keep = nullptr;
  sqlite3_prepare_v2(db,
                     "INSERT INTO item VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET updated = "
                     "excluded.updated, title = excluded.title",
                     -1, &upsert, nullptr);
  sqlite3_prepare_v2(db, "INSERT INTO page (body) VALUES (?)", -1, &keep, nullptr);

  CURL* curl = curl_easy_init();
  std::string body;
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, Append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  simdjson::dom::parser parser;
  Outcome outcome;
  std::string cursor = "*";
  while (true) {
    body.clear();
    char* escaped = curl_easy_escape(curl, cursor.c_str(), static_cast<int>(cursor.size()));
    const auto address = url + "&cursor=" + escaped;
    curl_free(escaped);
    curl_easy_setopt(curl, CURLOPT_URL, address.c_str());
    Check(curl_easy_perform(curl) == CURLE_OK, "no answer");
    simdjson::dom::element document;
    Check(parser.parse(body).get(document) == simdjson::SUCCESS, "no JSON");
    run("BEGIN");
    std::int64_t count = 0;
    for (simdjson::dom::element item : document.at_pointer("/message/items").get_array()) {
      std::string_view id, updated, title;
      Check(item["DOI"].get(id) == simdjson::SUCCESS, "no id");
      Check(item.at_pointer("/indexed/date-time").get(updated) == simdjson::SUCCESS, "no time");
      if (item.at_pointer("/title/0").get(title) != simdjson::SUCCESS) title = {};
      Bind(upsert, 1, id);
      Bind(upsert, 2, updated);
      Bind(upsert, 3, title);
      Check(sqlite3_step(upsert) == SQLITE_DONE, "upsert");
      sqlite3_reset(upsert);
      ++count;
    }
    std::string frame(ZSTD_compressBound(body.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), body.data(), body.size(), 1));
    sqlite3_bind_blob(keep, 1, frame.data(), static_cast<int>(frame.size()), SQLITE_TRANSIENT);
    Check(sqlite3_step(keep) == SQLITE_DONE, "page");
    sqlite3_reset(keep);
    run("COMMIT");
    outcome.records += count;
    outcome.bytes += static_cast<std::int64_t>(body.size());
    std::string_view next;
    if (count == 0 || document.at_pointer("/message/next-cursor").get(next) != simdjson::SUCCESS)
      break;
    cursor = std::string(next);
  }
  sqlite3_finalize(upsert);
  sqlite3_finalize(keep);
  sqlite3_close(db);
  curl_easy_cleanup(curl);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace patra::floor
