#include "adapter/cli/table.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

#include "adapter/cli/columns.h"
#include "adapter/cli/steps.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kBetween = 2;     // columns of nothing
constexpr std::size_t kTextLeast = 10;  // what is cut shorter than this says nothing any more

constexpr std::size_t kWordMost = 40;  // what is longer is no word

std::size_t WidthOf(const std::vector<std::size_t>& widths) {
  return std::reduce(widths.begin(), widths.end()) +
         kBetween * (widths.empty() ? 0 : widths.size() - 1);
}

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

std::vector<std::size_t> Table::Widths() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], ColumnsOf(row[i]));
  }
  return widths;
}

// A column of numbers is one under whose header only numbers stand.
std::vector<bool> Table::Numeric() const {
  std::vector<bool> numeric(Widths().size(), rows_.size() > 1);
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    for (std::size_t i = 0; i < rows_[r].size(); ++i)
      numeric[i] = numeric[i] && LooksNumeric(rows_[r][i]);
  }
  return numeric;
}

std::string Table::Print() const { return Lines(Widths()); }

std::string Table::Print(const Console& console) const {
  const auto columns = console.OutColumns();
  if (!console.out_is_terminal || WidthOf(Widths()) <= columns) return Print();
  const auto table = WithoutEmptyColumns();
  auto widths = table.Widths();
  const auto wide = WidthOf(widths);
  // The widest text gives way first.
  for (auto over = wide > columns ? wide - columns : 0; over > 0; --over) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool may_shrink = widths[i] > kTextLeast && table.IsText(i);
      if (may_shrink && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return table.Blocks(columns);
    --widths[widest];
  }
  return table.Lines(widths);
}

// Ids, times and names are typed again by whoever reads them: only what is prose or JSON may be cut.
bool Table::IsText(std::size_t column) const {
  return std::any_of(rows_.begin() + 1, rows_.end(), [&](const std::vector<std::string>& row) {
    return column < row.size() && (row[column].find_first_of(" {[") != std::string::npos ||
                                   ColumnsOf(row[column]) > kWordMost);
  });
}

Table Table::WithoutEmptyColumns() const {
  std::vector<std::vector<std::string>> rows(rows_.size());
  for (std::size_t i = 0; i < rows_.front().size(); ++i) {
    const bool has_any =
        std::any_of(rows_.begin() + 1, rows_.end(), [&](const std::vector<std::string>& row) {
          return i < row.size() && !row[i].empty() && row[i] != "-";
        });
    for (std::size_t r = 0; has_any && r < rows_.size(); ++r)
      rows[r].push_back(i < rows_[r].size() ? rows_[r][i] : "");
  }
  Table table({});
  table.rows_ = std::move(rows);
  return table;
}

std::string Table::Lines(const std::vector<std::size_t>& widths) const {
  const auto numeric = Numeric();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto cell = FirstColumns(row[i], widths[i]);
      const std::string room(widths[i] - ColumnsOf(cell), ' ');
      line += numeric[i] ? room + cell : cell + room;
      line.append(kBetween, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Table::Blocks(std::size_t columns) const {
  const auto& names = rows_.front();
  std::size_t width = 0;
  for (const auto& name : names) width = std::max(width, ColumnsOf(name));
  std::string text;
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    if (r > 1) text += "\n";
    for (std::size_t i = 0; i < std::min(rows_[r].size(), names.size()); ++i) {
      const auto name = names[i] + std::string(width - ColumnsOf(names[i]) + kBetween, ' ');
      text += FirstColumns(name + rows_[r][i], columns) + "\n";
    }
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
