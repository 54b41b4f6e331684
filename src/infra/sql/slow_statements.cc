#include "infra/sql/slow_statements.h"

#include <algorithm>

namespace patra::infra::sql {
namespace {

std::string OnOneLine(std::string_view sql) {
  std::string line;
  for (const char c : sql) {
    if (line.size() >= SlowStatements::kTextBytesMax) return line + "…";
    const bool is_blank = c == ' ' || c == '\n' || c == '\t';
    if (!is_blank) line += c;
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

void SlowStatements::NoteSlow(std::string_view sql, Duration took) {
  auto text = OnOneLine(sql);
  SlowStatement due;
  {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.Elapsed();
    const auto known = told_.find(text);
    if (known == told_.end() && told_.size() >= kStatementsMax) told_.clear();
    auto& told = known == told_.end() ? told_[text] : known->second;
    const bool is_first = told.since.statement.empty();
    if (is_first) told.since.statement = std::move(text);
    told.since.took = std::max(told.since.took, took);
    ++told.since.times;
    if (!is_first && now - told.at < kAgainAfter) return;
    due = told.since;
    told.at = now;
    told.since.took = {};
    told.since.times = 0;
  }
  tell_(due);
}

}  // namespace patra::infra::sql
