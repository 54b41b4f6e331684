// A table for people: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace patra::adapter::cli {

inline constexpr int kRowsMax = 10'000;  // that a list shows at once

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  void Add(std::vector<std::string> row);
  std::string Print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string Thousands(std::int64_t number);  // 1,234,567

}  // namespace patra::adapter::cli
