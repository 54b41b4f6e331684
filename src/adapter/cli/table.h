// A table for people: columns as wide as their widest cell where there is room, numbers to the right.
#pragma once

#include <string>
#include <vector>

#include "adapter/cli/console.h"

namespace patra::adapter::cli {

inline constexpr int kRowsMax = 10'000;  // that a list shows at once

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  void Add(std::vector<std::string> row);
  // As wide as it is.
  std::string Print() const;
  // On a terminal no wider than that: columns in which nothing stands are left out and texts are cut; where that would
  // leave too little of them, every row is a block of lines. Elsewhere as wide as it is.
  std::string Print(const Console& console) const;

 private:
  std::vector<std::size_t> Widths() const;
  std::vector<bool> Numeric() const;
  bool IsText(std::size_t column) const;
  Table WithoutEmptyColumns() const;
  std::string Lines(const std::vector<std::size_t>& widths) const;
  std::string Blocks(std::size_t columns) const;

  std::vector<std::vector<std::string>> rows_;
};

std::string Thousands(std::int64_t number);  // 1,234,567

}  // namespace patra::adapter::cli
