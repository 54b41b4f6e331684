#include "adapter/cli/table.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "adapter/cli/steps.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

bool LooksNumeric(const std::string& cell) {
  return !cell.empty() && std::ranges::all_of(cell, [](unsigned char c) {
    return std::isdigit(c) || c == ',' || c == '.';
  });
}

}  // namespace

// A cell that breaks the line could pass for a row of its own. What to type for a step has another width than its name.
void Table::Add(std::vector<std::string> row) {
  for (auto& cell : row) cell = SpelledOnOneLine(Typed(cell));
  rows_.push_back(std::move(row));
}

std::string Table::Print() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  // A column of numbers is one under whose header only numbers stand.
  std::vector<bool> numeric(widths.size(), rows_.size() > 1);
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    for (std::size_t i = 0; i < rows_[r].size(); ++i)
      numeric[i] = numeric[i] && LooksNumeric(rows_[r][i]);
  }

  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += numeric[i] ? fmt::format("{:>{}}", row[i], widths[i])
                         : fmt::format("{:<{}}", row[i], widths[i]);
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Thousands(std::int64_t number) {
  auto digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3;
       i > static_cast<std::ptrdiff_t>(first); i -= 3) {
    digits.insert(static_cast<std::size_t>(i), ",");
  }
  return digits;
}

}  // namespace patra::adapter::cli
