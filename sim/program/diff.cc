// The truth is streamed and each line is looked up in the store; its ids go into a temporary table,
// so that the store's extra rows are found by a query and nothing grows in memory.
#include "sim/program/diff.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <fstream>
#include <functional>
#include <memory>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/time.h"
#include "sim/http_message.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

std::unexpected<Error> StoreFailure(sqlite3* database) {
  return Fail(ErrorCode::kCorruption, fmt::format("the store says: {}", sqlite3_errmsg(database)),
              {}, "is it a patra store? It needs tables ing_item and ing_record_set");
}

constexpr const char* kPrepare =
    "PRAGMA temp_store = FILE; CREATE TEMP TABLE truth_id (id TEXT PRIMARY KEY) WITHOUT ROWID; "
    "BEGIN";

Result<Database> Open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  Database database(raw);
  if (opened != SQLITE_OK) {
    return Fail(ErrorCode::kNotFound, fmt::format("cannot open the store {}", path));
  }
  sqlite3_busy_timeout(raw, 10'000);
  if (sqlite3_exec(raw, kPrepare, nullptr, nullptr, nullptr) != SQLITE_OK) return StoreFailure(raw);
  return database;
}

Result<Statement> Prepare(sqlite3* database, const char* sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &raw, nullptr) != SQLITE_OK) {
    return StoreFailure(database);
  }
  return Statement(raw);
}

void Bind(sqlite3_stmt* statement, const char* name, std::string_view text) {
  const int index = sqlite3_bind_parameter_index(statement, name);
  if (index > 0) {
    sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
  }
}

std::string Column(sqlite3_stmt* statement, int index) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, index));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, index)))
              : std::string();
}

std::string TextIn(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  return member && member->AsString() ? *member->AsString() : std::string();
}

Result<void> Import(sqlite3* database, sqlite3_stmt* insert, std::string_view line) {
  const auto item = PATRA_TRY(ParseJson(line));
  const auto* fields = item.Find("fields");
  if (fields == nullptr) return Fail(ErrorCode::kInvalidInput, "this is no exported record");
  const auto updated = PATRA_TRY(ParseRfc3339(TextIn(item, "updatedAt")));
  const auto digest = Sha256(CanonicalJson(*fields));
  sqlite3_reset(insert);
  Bind(insert, ":source", TextIn(item, "source"));
  Bind(insert, ":endpoint", TextIn(item, "endpoint"));
  if (sqlite3_step(insert) != SQLITE_DONE) return StoreFailure(database);
  const auto row = PATRA_TRY(Prepare(database, R"sql(
      INSERT INTO ing_item (record_set_id, provider_item_id, updated_at, content_hash, deleted_at)
      SELECT id, :id, :updated, :hash, CASE :is_deleted WHEN 1 THEN 1 END FROM ing_record_set
      WHERE provenance_code = :source AND endpoint_name = :endpoint)sql"));
  const auto at = [&](const char* name) { return sqlite3_bind_parameter_index(row.get(), name); };
  Bind(row.get(), ":source", TextIn(item, "source"));
  Bind(row.get(), ":endpoint", TextIn(item, "endpoint"));
  Bind(row.get(), ":id", TextIn(item, "id"));
  sqlite3_bind_int64(row.get(), at(":updated"), updated.time_since_epoch().count());
  sqlite3_bind_blob(row.get(), at(":hash"), digest.data(), static_cast<int>(digest.size()),
                    SQLITE_TRANSIENT);
  sqlite3_bind_int(row.get(), at(":is_deleted"), item.Find("deletedAt") != nullptr ? 1 : 0);
  return sqlite3_step(row.get()) == SQLITE_DONE ? Result<void>() : StoreFailure(database);
}

// What was exported, in the tables of a store that goes with the comparison.
Result<Database> OpenExport(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Fail(ErrorCode::kNotFound, fmt::format("cannot open the export {}", path));
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open("", &raw);
  Database database(raw);
  const std::string tables = R"sql(
      CREATE TABLE ing_record_set (id INTEGER PRIMARY KEY, provenance_code TEXT, endpoint_name TEXT,
                                   UNIQUE (provenance_code, endpoint_name));
      CREATE TABLE ing_item (record_set_id INTEGER, provider_item_id TEXT, updated_at INTEGER,
                             content_hash BLOB, deleted_at INTEGER,
                             PRIMARY KEY (record_set_id, provider_item_id)) WITHOUT ROWID;)sql";
  if (opened != SQLITE_OK ||
      sqlite3_exec(raw, (tables + kPrepare).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return StoreFailure(raw);
  const auto insert = PATRA_TRY(Prepare(raw, R"sql(
      INSERT OR IGNORE INTO ing_record_set (provenance_code, endpoint_name)
      VALUES (:source, :endpoint))sql"));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (const auto added = Import(raw, insert.get(), line); !added)
      return std::unexpected(Error(added.error()).At({.file = path, .line = number}));
  }
  return database;
}

// The store's spelling of the provenance, so that the index on it can be used.
Result<std::string> FindProvenance(sqlite3* database, const DiffOptions& options) {
  const auto wanted = options.provenance.empty()
                          ? options.source.substr(0, options.source.find('/'))
                          : options.provenance;
  const auto statement = PATRA_TRY(
      Prepare(database, "SELECT DISTINCT provenance_code FROM ing_record_set LIMIT 1000"));
  while (sqlite3_step(statement.get()) == SQLITE_ROW) {
    auto code = Column(statement.get(), 0);
    if (EqualIgnoringCase(code, wanted)) return code;
  }
  return wanted;  // nothing is stored yet: everything will be missing
}

// Calls `use` for every line of the document at `url`.
class LineReader {
 public:
  explicit LineReader(std::function<Result<void>(std::string_view)> use) : use_(std::move(use)) {}

  Result<void> Read(const std::string& url) {
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(),
                                                                     curl_easy_cleanup);
    if (!handle) return Fail(ErrorCode::kInternal, "curl does not start");
    curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, &LineReader::Receive);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, this);
    curl_easy_setopt(handle.get(), CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle.get(), CURLOPT_NOPROXY, "*");
    // The simulator's certificate is its own; nothing secret is sent.
    curl_easy_setopt(handle.get(), CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(handle.get(), CURLOPT_SSL_VERIFYHOST, 0L);
    const auto done = curl_easy_perform(handle.get());
    if (!outcome_) return outcome_;
    if (done != CURLE_OK) {
      return Fail(ErrorCode::kUnavailable,
                  fmt::format("cannot read the truth from {}: {}", url, curl_easy_strerror(done)),
                  {}, "is the simulator running, and does it know the source?");
    }
    return {};
  }

 private:
  static std::size_t Receive(char* bytes, std::size_t size, std::size_t count, void* self) {
    return static_cast<LineReader*>(self)->Take({bytes, size * count}) ? size * count : 0;
  }

  bool Take(std::string_view bytes) {
    unread_ += bytes;
    std::size_t start = 0;
    for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n', start)) {
      outcome_ = use_(std::string_view(unread_).substr(start, end - start));
      if (!outcome_) return false;
      start = end + 1;
    }
    unread_.erase(0, start);
    return true;
  }

  std::function<Result<void>(std::string_view)> use_;
  std::string unread_;
  Result<void> outcome_;
};

struct Truth {
  std::string id;
  std::string hash;
  std::int64_t updated = 0;  // µs
  bool deleted = false;
  bool silent = false;
};

Result<Truth> ReadTruth(std::string_view line) {
  const auto value = PATRA_TRY(ParseJson(line));
  Truth truth;
  truth.id = TextIn(value, "id");
  truth.hash = TextIn(value, "hash");
  truth.updated = PATRA_TRY(ParseRfc3339(TextIn(value, "updatedAt"))).time_since_epoch().count();
  truth.deleted = value.Find("deleted") != nullptr;
  truth.silent = value.Find("silent") != nullptr;
  return truth;
}

class Comparison {
 public:
  Comparison(sqlite3* database, const DiffOptions& options, std::string provenance)
      : database_(database), options_(options), provenance_(std::move(provenance)) {}

  Result<void> Start() {
    find_ = PATRA_TRY(Prepare(database_, R"sql(
        SELECT updated_at, lower(hex(content_hash)), deleted_at IS NOT NULL FROM ing_item
        WHERE record_set_id IN (SELECT id FROM ing_record_set
                                WHERE provenance_code = :provenance
                                  AND (:endpoint = '' OR endpoint_name = :endpoint))
          AND provider_item_id = :id
        LIMIT 1)sql"));
    remember_ =
        PATRA_TRY(Prepare(database_, "INSERT OR IGNORE INTO temp.truth_id (id) VALUES (:id)"));
    Bind(find_.get(), ":provenance", provenance_);
    Bind(find_.get(), ":endpoint", options_.endpoint);
    return {};
  }

  Result<void> Check(const Truth& truth) {
    sqlite3_reset(remember_.get());
    Bind(remember_.get(), ":id", truth.id);
    if (sqlite3_step(remember_.get()) != SQLITE_DONE) return StoreFailure(database_);
    if (truth.silent) return {};
    sqlite3_reset(find_.get());
    Bind(find_.get(), ":id", truth.id);
    const int step = sqlite3_step(find_.get());
    if (step != SQLITE_ROW && step != SQLITE_DONE) return StoreFailure(database_);
    const bool stored = step == SQLITE_ROW;
    const auto updated = stored ? sqlite3_column_int64(find_.get(), 0) : 0;
    const auto hash = stored ? Column(find_.get(), 1) : std::string();
    const bool tombstone = stored && sqlite3_column_int(find_.get(), 2) != 0;
    Judge(truth, stored, updated, hash, tombstone);
    return {};
  }

  // What the store has and the truth has not.
  Result<void> CheckExtra() {
    const auto statement = PATRA_TRY(Prepare(database_, R"sql(
        SELECT provider_item_id FROM ing_item AS item
        WHERE record_set_id IN (SELECT id FROM ing_record_set
                                WHERE provenance_code = :provenance
                                  AND (:endpoint = '' OR endpoint_name = :endpoint))
          AND deleted_at IS NULL
          AND updated_at >= CAST(:from AS INTEGER) AND updated_at < CAST(:to AS INTEGER)
          AND NOT EXISTS (SELECT 1 FROM temp.truth_id AS known
                          WHERE known.id = item.provider_item_id))sql"));
    const auto bound = [](const std::string& text, Instant otherwise) {
      const auto period = ParsePeriod(text);
      return std::to_string((period ? period->first : otherwise).time_since_epoch().count());
    };
    Bind(statement.get(), ":provenance", provenance_);
    Bind(statement.get(), ":endpoint", options_.endpoint);
    Bind(statement.get(), ":from", bound(options_.from, kInstantMin));
    Bind(statement.get(), ":to", bound(options_.to, kInstantMax));
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) {
      report_.extra.Add(Column(statement.get(), 0));
    }
    if (step != SQLITE_DONE) return StoreFailure(database_);
    return {};
  }

  DiffReport TakeReport() { return std::move(report_); }

 private:
  void Judge(const Truth& truth, bool stored, std::int64_t updated, const std::string& hash,
             bool tombstone) {
    const auto times = [&] {
      return fmt::format("{} (stored {}, truth {})", truth.id,
                         FormatRfc3339(Instant(Duration(updated))),
                         FormatRfc3339(Instant(Duration(truth.updated))));
    };
    if (truth.deleted) {
      // A store that never held the item owes nothing.
      if (stored && !tombstone) report_.stale.Add(truth.id + " (deleted at the provider)");
      return;
    }
    ++report_.expected;
    if (!stored || tombstone) {
      report_.missing.Add(tombstone ? truth.id + " (marked as deleted)" : truth.id);
    } else if (updated < truth.updated) {
      report_.stale.Add(times());
    } else if (updated > truth.updated) {
      report_.wrong.Add(times());
    } else if (hash != truth.hash) {
      report_.wrong.Add(fmt::format("{} (stored hash {}, truth {})", truth.id, hash, truth.hash));
    } else {
      ++report_.right;
    }
  }

  sqlite3* database_;
  const DiffOptions& options_;
  const std::string provenance_;
  Statement find_;
  Statement remember_;
  DiffReport report_;
};

Value DescribeFinding(const DiffReport::Finding& finding) {
  Value::Array examples;
  for (const auto& example : finding.examples) examples.emplace_back(example);
  return Value::Object{{"count", finding.count}, {"examples", std::move(examples)}};
}

}  // namespace

void DiffReport::Finding::Add(std::string example) {
  ++count;
  if (examples.size() < kExamplesMax) examples.push_back(std::move(example));
}

Value DiffReport::Describe() const {
  return Value::Object{{"equal", empty()},
                       {"expected", expected},
                       {"right", right},
                       {"missing", DescribeFinding(missing)},
                       {"extra", DescribeFinding(extra)},
                       {"stale", DescribeFinding(stale)},
                       {"wrong", DescribeFinding(wrong)}};
}

Result<DiffReport> Compare(const DiffOptions& options) {
  for (const auto& text : {options.from, options.to}) {
    if (!text.empty() && !ParsePeriod(text)) {
      return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no date", text));
    }
  }
  const auto database =
      PATRA_TRY(options.items.empty() ? Open(options.database) : OpenExport(options.items));
  Comparison comparison(database.get(), options,
                        PATRA_TRY(FindProvenance(database.get(), options)));
  if (auto started = comparison.Start(); !started) return std::unexpected(started.error());
  LineReader reader([&](std::string_view line) -> Result<void> {
    if (line.empty()) return {};
    return comparison.Check(PATRA_TRY(ReadTruth(line)));
  });
  const auto url = fmt::format("{}/__sim/truth?source={}&from={}&to={}", options.url,
                               PercentEncode(options.source), PercentEncode(options.from),
                               PercentEncode(options.to));
  if (auto read = reader.Read(url); !read) return std::unexpected(read.error());
  if (auto checked = comparison.CheckExtra(); !checked) return std::unexpected(checked.error());
  return comparison.TakeReport();
}

}  // namespace patra::sim
