// Statements that take long, told to whoever looks after the database: their text, never their values. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"

namespace patra::infra::sql {

struct SlowStatement {
  std::string statement;   // on one line, and cut
  Duration took{};         // the longest since it was told last
  std::int64_t times = 1;  // since then
};

class SlowStatements {
 public:
  using Tell = std::function<void(const SlowStatement&)>;

  static constexpr Duration kAgainAfter = std::chrono::minutes(1);  // the same statement
  static constexpr std::size_t kStatementsMax = 500;                // that are remembered
  static constexpr std::size_t kTextBytesMax = 300;

  // `clock` says how long a statement takes, and when it is told again.
  SlowStatements(Duration from, const Clock& clock, Tell tell)
      : from_(from), clock_(clock), tell_(std::move(tell)) {}

  Duration Elapsed() const { return clock_.Elapsed(); }

  // After every statement. Values are bound, and no part of the text.
  void Note(std::string_view sql, Duration took) {
    if (took >= from_) NoteSlow(sql, took);
  }

 private:
  struct Told {
    Duration at{};  // by Elapsed
    SlowStatement since{.times = 0};
  };

  void NoteSlow(std::string_view sql, Duration took);

  const Duration from_;
  const Clock& clock_;
  const Tell tell_;
  std::mutex mutex_;  // guards told_
  std::unordered_map<std::string, Told> told_;
};

// Times one statement of a connection. `slow` may be null: nobody asks.
class StatementWatch {
 public:
  explicit StatementWatch(SlowStatements* slow)
      : slow_(slow), begun_(slow == nullptr ? Duration{} : slow->Elapsed()) {}

  Duration took() const { return slow_ == nullptr ? Duration{} : slow_->Elapsed() - begun_; }
  void End(std::string_view sql) const {
    if (slow_ != nullptr) slow_->Note(sql, took());
  }
  // Of a text that may hold values, in quotes: no more than what is before them.
  void EndOfText(std::string_view sql) const { End(sql.substr(0, sql.find_first_of("'\"\n"))); }

 private:
  SlowStatements* const slow_;
  const Duration begun_;
};

}  // namespace patra::infra::sql
