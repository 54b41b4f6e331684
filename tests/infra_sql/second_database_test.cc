// What a second database has to bring: a session that knows its dialect, and transactions. This one has no server behind it;
// it writes down what it is asked, as a driver with `?` for every value would send it.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sql/sql_store.h"

namespace patra::second_database_test {

using infra::sql::Bound;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A statement as that database understands it.
struct Localised {
  std::string text;
  std::vector<std::string> names;  // of each `?`; a name may come more than once
};

Localised Localise(std::string_view sql) {
  Localised localised;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const bool is_name = sql[i] == ':' && i + 1 < sql.size() && std::isalpha(sql[i + 1]) != 0;
    if (!is_name) {
      localised.text += sql[i];
      continue;
    }
    std::string name;
    while (i + 1 < sql.size() && (std::isalnum(sql[i + 1]) != 0 || sql[i + 1] == '_'))
      name += sql[++i];
    localised.names.push_back(name);
    localised.text += '?';
  }
  constexpr std::string_view kOfSqlite = "INDEXED BY ";
  for (auto at = localised.text.find(kOfSqlite); at != std::string::npos;
       at = localised.text.find(kOfSqlite)) {
    const auto begin = at + kOfSqlite.size();
    const auto end = std::min(localised.text.find_first_of(" \n)", begin), localised.text.size());
    const auto index = localised.text.substr(begin, end - begin);
    localised.text.replace(at, end - at, "FORCE INDEX (" + index + ")");
  }
  return localised;
}

// Yields one row with one number, or none.
class OneNumber final : public infra::sql::Statement {
 public:
  std::optional<std::int64_t> number;

  Result<bool> Next() override { return number.has_value() && !std::exchange(is_read_, true); }
  void End() noexcept override { is_read_ = false; }
  std::int64_t changed() override { return 1; }
  int columns() const override { return 1; }
  std::string_view ColumnName(int) const override { return "number"; }
  bool IsNull(int) const override { return false; }
  std::int64_t Integer(int) const override { return *number; }
  double Number(int) const override { return 0; }
  std::string_view View(int) const override { return {}; }

 private:
  bool is_read_ = false;
};

struct Sent {
  std::string text;
  std::vector<std::string> names;
};

class SketchSession final : public infra::sql::Session {
 public:
  explicit SketchSession(std::vector<Sent>& sent) : sent_(sent) {}

  infra::sql::Dialect dialect() const override { return infra::sql::Dialect::kMysql; }
  Result<void> Execute(const std::string&) override { return {}; }

 private:
  Result<infra::sql::Statement*> Prepare(std::string_view sql,
                                         std::span<const infra::sql::Parameter> parameters,
                                         const std::optional<infra::sql::ValueList>&,
                                         Lifetime) override {
    auto localised = Localise(sql);
    for (const auto& name : localised.names) {
      if (std::ranges::find(parameters, name, &infra::sql::Parameter::name) == parameters.end())
        return Fail(ErrorCode::kInternal, "the statement lacks the value of " + name);
    }
    answer_.number =
        sql.find("count(") != std::string_view::npos || sql.find("max(") != std::string_view::npos
            ? std::optional<std::int64_t>(0)
            : std::nullopt;
    sent_.push_back({std::move(localised.text), std::move(localised.names)});
    return &answer_;
  }

  std::vector<Sent>& sent_;
  OneNumber answer_;
};

class SketchDatabase final : public infra::sql::Database {
 public:
  explicit SketchDatabase(std::vector<Sent>& sent) : sent_(sent) {}

 private:
  // A deadlock undoes the first attempt.
  Result<void> RunInTransaction(const infra::sql::LockScope&, Job job) override {
    SketchSession session(sent_);
    (void)job(session).has_value();
    return job(session);
  }
  Result<void> RunOnSnapshot(const Job& job) override {
    SketchSession session(sent_);
    return job(session);
  }

  std::vector<Sent>& sent_;
};

class SecondDatabase : public ::testing::Test {
 protected:
  const Sent& Last() const { return sent_.back(); }

  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  std::vector<Sent> sent_;
  std::unique_ptr<app::Store> store_ =
      *infra::sql::SqlStore::Open(std::make_unique<SketchDatabase>(sent_), clock_);
};

TEST_F(SecondDatabase, GetsItsValuesInTheOrderOfItsOwnPlaceholders) {
  const auto taken = std::ranges::find_if(
      sent_, [](const Sent& one) { return one.text.contains("VALUES (?, ?, ?)"); });
  ASSERT_NE(taken, sent_.end());
  EXPECT_THAT(taken->names, ElementsAre("node_no", "owner", "until"));
}

TEST_F(SecondDatabase, MayRunATransactionAgain) {
  EXPECT_TRUE(store_->executors().Beat("w", "host", 0));
  EXPECT_GT(store_->ids().Next(), 0);
}

TEST_F(SecondDatabase, KnowsAnIndexByAnotherWord) {
  const auto open = store_->signals().CountOpen("demo", "items");
  ASSERT_TRUE(open) << open.error().Describe();
  EXPECT_THAT(Last().text, HasSubstr("FORCE INDEX (idx_signal_open)"));
  EXPECT_THAT(Last().text, Not(HasSubstr(":")));
}

}  // namespace patra::second_database_test
